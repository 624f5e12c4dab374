// Offsets. The service counts code points, JavaScript counts UTF-16 units; here they meet.

const ASTRAL = /[\u{10000}-\u{10FFFF}]/gu;

/** A text that can be cut by code points. For texts without astral characters, offsets are what they are. */
export class Text {
  constructor(string) {
    this.string = string;
    this.astral = [];
    for (const match of string.matchAll(ASTRAL)) this.astral.push(match.index - this.astral.length);
    this.length = string.length - this.astral.length;
  }

  /** How many astral characters stand before the code point `at`. */
  #before(at) {
    let low = 0;
    let high = this.astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.astral[middle] < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The UTF-16 offset of a code point. */
  unit(at) {
    return this.astral.length ? at + this.#before(at) : at;
  }

  /** The code point at a UTF-16 offset; inside a pair, the character that the pair is. */
  point(unit) {
    let low = 0;
    let high = this.astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.astral[middle] + middle + 1 < unit) low = middle + 1;
      else high = middle;
    }
    const within = low < this.astral.length && this.astral[low] + low + 1 === unit ? 1 : 0;
    return unit - low - within;
  }

  slice(start, end) {
    return this.string.slice(this.unit(start), this.unit(end));
  }
}

/** A number as a share: 0.034 is "3.4%", 0.62 "62%". */
export function percent(value) {
  if (value === null || value === undefined) return "not known";
  const share = 100 * value;
  return `${share > 0 && share < 10 ? share.toFixed(1).replace(/\.0$/, "") : Math.round(share)}%`;
}

export function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Words of the service as a sentence. It may begin with the name of a file, which stays as it is. */
export function sentence(words) {
  const begun = /^[\p{L}-]+(?=[\s,:]|$)/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** A time as the reader writes times. */
export function when(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : DATE.format(date);
}
