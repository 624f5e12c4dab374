// The plain-text view: the document as it will be, to be edited freely. What it tells is asked for as one types; nothing
// is stored before it is kept.

import { api } from "./api.js";
import { button, el, refill, rested } from "./dom.js";
import { level, LEVELS, risksNow } from "./marks.js";
import { say, tellError } from "./messages.js";
import { Text } from "./text.js";

const REST = 150;

/** What stands where in an edited text: the changes of the review, and over them those of the draft, in order. */
function changed(review, { replacements }) {
  const under = review.state.pieces.filter((piece) => piece.change !== null);
  const over = ({ span }) => replacements.some((each) => each.span.start < span.end && each.span.end > span.start);
  return [...under.filter((piece) => !over(piece)), ...replacements].sort(
    (one, other) => one.span.start - other.span.start || one.span.end - other.span.end,
  );
}

/**
 * Where terms of the source stand in an edited text: `[start, end, risk]`, in order, none over another. If the text cannot
 * be told from the changes, none: a mark in the wrong place is worse than none.
 */
export function carried(review, text, { standing, decision }) {
  const changes = changed(review, decision);
  let [written, from] = ["", 0];
  for (const change of changes) {
    written += review.text.slice(from, change.span.start) + change.text;
    from = change.span.end;
  }
  if (written + review.text.slice(from, review.text.length) !== text) return [];
  const risks = risksNow(standing);
  const spans = review.overview.terms
    .filter((term) => level(risks.get(term.id) || 0) > 0)
    .flatMap((term) => term.spans.map((span) => [span.start, span.end, risks.get(term.id)]))
    .sort((one, other) => one[0] - other[0] || other[2] - one[2]);
  const marks = [];
  let [next, moved, gone, last] = [0, 0, 0, 0];
  for (const [start, end, risk] of spans) {
    for (; next < changes.length && changes[next].span.start < end; next += 1) {
      const { span, text: put } = changes[next];
      moved += [...put].length - (span.end - span.start);
      gone = Math.max(gone, span.start > start ? end : span.end);
    }
    if (start < Math.max(gone, last)) continue;
    marks.push([start + moved, end + moved, risk]);
    last = end;
  }
  return marks;
}

export class Draft {
  #asked = null;

  /** `standing` is shown what the draft tells; null once it shows the stored state again. */
  constructor(review, standing) {
    this.review = review;
    this.standing = standing;
    this.behind = el("div.behind", { "aria-hidden": "true" });
    this.area = el("textarea", {
      "aria-label": "The document as it will be, to be edited freely",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.#typed(),
    });
    this.keep = button("Keep this text", () => this.store(), { class: "main", disabled: true });
    this.drop = button("Drop my changes", () => this.reset(), { disabled: true });
    this.status = el("span.small.soft", { role: "status" }, "");
    this.ask = rested(REST, () => this.#preview());
    this.node = el(
      "div",
      {},
      el("div.buttons", {}, this.keep, this.drop, this.status),
      el("div.sheet", {}, el("div.draft", {}, this.behind, this.area)),
    );
  }

  get dirty() {
    return this.area.value !== this.text;
  }

  /** Start from how the review stands; a draft with changes is left alone. */
  draw() {
    const text = this.review.state.pieces.map((piece) => piece.text).join("");
    if (this.text !== undefined && this.dirty) {
      this.text = text;
      return this.#typed();
    }
    this.text = text;
    return this.reset();
  }

  reset() {
    this.area.value = this.text;
    this.preview = null;
    this.standing(null);
    this.#typed();
  }

  #typed() {
    this.keep.disabled = this.drop.disabled = !this.dirty;
    this.status.textContent = this.dirty ? "Not kept yet." : "";
    this.#paint([]);
    if (this.node.isConnected) this.ask();
  }

  /** Once it is in the page: ask what it tells, which nobody needs to know before. */
  shown() {
    this.#typed();
    this.area.focus({ preventScroll: true });
  }

  async #preview() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    const text = this.area.value;
    try {
      const preview = await api.post(`${this.review.path}/preview`, { text }, { signal: this.#asked.signal });
      if (text !== this.area.value) return;
      this.preview = { ...preview, text };
      this.#paint(carried(this.review, text, preview));
      this.standing(this.dirty ? preview.standing : null);
    } catch (error) {
      if (!error.silent) tellError(error);
    }
  }

  /** The text again, unseen, behind what is typed: only its marks show. It is one run of text, as what is typed is, and
   * painted over: elements in it would make its lines break elsewhere, and its marks stand beside the words.
   */
  #paint(marks) {
    const text = new Text(this.area.value);
    refill(this.behind, `${text.string}\n`);
    const [node] = this.behind.childNodes;
    const ranges = LEVELS.map(() => []);
    for (const [start, end, risk] of marks) {
      const range = document.createRange();
      range.setStart(node, text.unit(start));
      range.setEnd(node, text.unit(end));
      ranges[level(risk)].push(range);
    }
    for (const [step, several] of ranges.entries()) CSS.highlights?.set(`risk-${step}`, new Highlight(...several));
  }

  async store() {
    const text = this.area.value;
    const fresh = this.preview?.text === text;
    const decision = fresh
      ? { kind: "text", replacements: this.preview.decision.replacements }
      : { kind: "text", text };
    const stored = await this.review.decide(decision, "Your text is kept.");
    if (!stored) return say("Your text is still here, not kept yet.");
    this.text = this.review.state.pieces.map((piece) => piece.text).join("");
    return this.reset();
  }
}
