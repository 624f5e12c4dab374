// Pages as they are printed, beside the text, for formats that have pages. Each is a picture with boxes over what is
// marked in the text; a click on a box shows the place in the text, and what is opened there is framed here.

import { api } from "./api.js";
import { el, refill, svg } from "./dom.js";
import { stretches } from "./marks.js";
import { tellError } from "./messages.js";

const LOOKS = { edit: "goes", term: "tells", finding: "tells" };

export class Prints {
  #words = [];
  #layers = [];
  #opened = [];

  /** `point` is shown the span of a box that was clicked. */
  constructor(review, point) {
    this.review = review;
    this.point = point;
    const about = { role: "group", tabindex: "0", "aria-label": "Pages as they are printed" };
    this.node = review.document.paged ? el("div.prints", about) : null;
  }

  /** The text, with its pages beside it if there are any. */
  beside(sheet) {
    return this.node ? el("div.spread", {}, sheet, this.node) : sheet;
  }

  /** Ask for the pages. The text can be worked on meanwhile. */
  async load() {
    if (!this.node) return;
    try {
      const { pages, words } = await api.get(`${this.review.path}/prints`);
      this.#words = words;
      refill(
        this.node,
        Array.from({ length: pages }, (_, index) => this.#page(index + 1)),
      );
      this.draw();
    } catch (fault) {
      tellError(fault);
    }
  }

  #page(number) {
    const layer = svg("svg", { "aria-hidden": "true", viewBox: "0 0 1 1", preserveAspectRatio: "none" });
    this.#layers.push(layer);
    const src = api.address(`${this.review.path}/pages/${number}.png`);
    return el("div.print", {}, el("img", { src, alt: `Page ${number}`, loading: "lazy" }), layer);
  }

  /** Draw what is marked in the text, and what is opened, as boxes. */
  draw() {
    if (!this.#layers.length || !this.review.state) return;
    const boxes = this.#layers.map(() => []);
    const add = (span, look) => {
      for (const box of this.#boxes(span)) boxes[box.page - 1]?.push(this.#box(box, span, look));
    };
    for (const [start, end, mark] of stretches(this.review)) add({ start, end }, LOOKS[mark.kind]);
    for (const span of this.#opened) add(span, "opened");
    this.#layers.forEach((layer, page) => refill(layer, boxes[page]));
  }

  /** Frame what is opened, and bring it into sight. */
  show(spans) {
    this.#opened = spans;
    this.draw();
    this.node?.querySelector("rect.opened")?.scrollIntoView({ block: "nearest" });
  }

  /** The boxes of a span: of its words on a line, one that holds them all. */
  #boxes(span) {
    const found = [];
    for (let at = this.#first(span.start); at < this.#words.length; at++) {
      const { span: word, box } = this.#words[at];
      if (word.start >= span.end) break;
      if (word.end <= span.start) continue;
      const last = found.at(-1);
      const same = last && last.page === box.page && Math.abs(last.top - box.top) < (last.bottom - last.top) / 2;
      if (same && box.left >= last.left) last.right = Math.max(last.right, box.right);
      else found.push({ ...box });
    }
    return found;
  }

  /** The first word that may reach an offset. */
  #first(offset) {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#words[middle].span.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #box({ left, top, right, bottom }, span, look) {
    const place = { x: left, y: top, width: right - left, height: bottom - top };
    return svg("rect", { ...place, class: look, onclick: () => this.point(span) });
  }
}
