// The sanitize view: the document, with everything marked that tells something. Drawn in one pass; afterwards only the
// paragraphs that changed are drawn anew.

import { button, el, refill } from "./dom.js";
import { dress } from "./looks.js";
import { linked, stretches } from "./marks.js";
import { paragraphs, tables } from "./paragraphs.js";
import { plural } from "./text.js";

/** A few small words of one sentence. */
const BETWEEN = /^[\s\p{L}'’-]{1,14}$/u;

const UNREAD =
  "No words were read in this file. Whatever it shows are pictures, which nobody has looked into: a release blanks them, unless the policy keeps them.";

/** A table, cell by cell; as wide as it has to be, in a frame that is as wide as there is room. */
function framed({ rows }) {
  const cell = (blocks) =>
    el(
      "div.cell",
      { role: "cell" },
      blocks.map((block) => block.node),
    );
  const row = (cells) => el("div.row", { role: "row" }, [...cells.values()].map(cell));
  return el("div.framed", {}, el("div.table", { role: "table" }, [...rows.values()].map(row)));
}

export class Sheet {
  /** `choose` hears which mark was opened, `quick` which key was pressed on one. */
  constructor(review, { choose, chooseSentence, quick }) {
    this.review = review;
    this.choose = choose;
    this.chooseSentence = chooseSentence;
    this.node = el("div.sheet", {
      role: "group",
      "aria-label": "Document. Arrow keys move between marked terms, Enter opens one, Delete removes it, K keeps it.",
    });
    this.blocks = paragraphs(review.document, review.text).map((block) => ({ ...block, drawn: "", marks: [] }));
    this.sources = new WeakMap();
    this.current = -1;
    for (const block of this.blocks) {
      block.node = el(
        `div.block.${block.shape}`,
        block.level ? { role: "heading", "aria-level": block.level + 1 } : {},
      );
      if (block.flowing) block.node.classList.add("flowing");
      this.#fill(block, [[block.start, block.end, null, null]]);
    }
    this.node.append(...tables(this.blocks).map((each) => (each.rows ? framed(each) : each.node)));
    if (!review.document.words) this.node.append(el("p.note.warn", {}, UNREAD));
    this.node.addEventListener("click", (event) => this.#clicked(event));
    this.node.addEventListener("keydown", (event) => this.#pressed(event, quick));
    this.node.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** Show how the review stands now. */
  draw() {
    this.partners = linked(this.review.overview);
    const found = stretches(this.review);
    const focused = this.node.contains(document.activeElement) ? this.current : -1;
    let next = 0;
    for (const block of this.blocks) {
      const marks = [];
      while (next < found.length && found[next][0] < block.start) next += 1;
      for (let at = next; at < found.length && found[at][0] < block.end; at += 1) marks.push(found[at]);
      this.#drawBlock(block, marks);
    }
    this.#rove();
    if (focused >= 0 && !this.node.contains(document.activeElement)) this.focus(focused);
  }

  #drawBlock(block, marks) {
    const runs = this.#runs(block, marks);
    const drawn = runs
      .map(
        ([start, end, mark, quote, joined]) =>
          `${start}:${end}:${mark ? dress(mark, "").classes + mark.text + mark.risk : ""}:${quote ? 1 : 0}${joined ? 1 : 0}`,
      )
      .join("|");
    if (drawn === block.drawn) return;
    block.drawn = drawn;
    this.#fill(block, runs);
  }

  /** A block cut where anything starts or ends: `[start, end, mark, sentence, joined]`. */
  #runs(block, marks) {
    const quotes = this.review.overview.verbatim.filter(({ span }) => span.start < block.end && span.end > block.start);
    const cuts = new Set([block.start, block.end]);
    for (const [start, end] of marks) cuts.add(start).add(Math.min(end, block.end));
    for (const { span } of quotes) cuts.add(Math.max(span.start, block.start)).add(Math.min(span.end, block.end));
    const order = [...cuts].sort((one, other) => one - other);
    const runs = [];
    let next = 0;
    for (let at = 0; at < order.length; at += 1) {
      const [start, end] = [order[at], order[at + 1]];
      while (next < marks.length && marks[next][0] === marks[next][1] && marks[next][0] <= start)
        runs.push([start, start, marks[next++][2], null]);
      if (end === undefined) break;
      while (next < marks.length && marks[next][1] <= start) next += 1;
      const mark = next < marks.length && marks[next][0] <= start ? marks[next][2] : null;
      const quote = quotes.find(({ span }) => span.start <= start && span.end >= end) || null;
      runs.push([start, end, mark, quote, !mark && this.#joins(marks[next - 1], marks[next], start, end)]);
    }
    return runs;
  }

  /** Whether the stretch between two marks joins terms that tell more together, such as “Cobalt at Dawn”. */
  #joins(before, after, start, end) {
    if (!before || !after || before[1] !== start || after[0] !== end) return false;
    const [one, other] = [before[2].term, after[2].term];
    return Boolean(
      one && other && this.partners.get(one.id)?.has(other.id) && BETWEEN.test(this.review.text.slice(start, end)),
    );
  }

  #fill(block, runs) {
    const children = block.place ? [el("span.place", {}, block.place)] : [];
    let quoted = null;
    let written = null;
    for (const [start, end, mark, quote, joined] of runs) {
      if (quote && quote !== quoted && quote.span.start >= block.start) children.push(this.#quote(quote));
      quoted = quote;
      if (mark && mark.kind === "edit" && mark === written) continue;
      written = mark;
      children.push(this.#run(start, end, mark, quote, joined));
    }
    refill(block.node, children);
  }

  #run(start, end, mark, quote, joined) {
    const source = this.review.text.slice(start, end);
    if (!mark) {
      const text = document.createTextNode(source);
      this.sources.set(text, start);
      if (!quote && !joined) return text;
      return el(`span${quote ? ".verbatim" : ""}${joined ? ".joined" : ""}`, {}, text);
    }
    const { classes, shown, label } = dress(mark, source);
    const node = el(
      `span.mark.${classes.replaceAll(" ", ".")}${quote ? ".verbatim" : ""}`,
      {
        role: "button",
        tabindex: "-1",
        "aria-label": label,
        data: { start, label: mark.finding?.label || "", term: mark.term?.id || "" },
      },
      shown,
    );
    node.mark = mark;
    if (mark.kind !== "edit") this.sources.set(node.firstChild, start);
    return node;
  }

  #quote(sentence) {
    const label = `This sentence stands word for word in ${plural(sentence.documents.length, "document")} that readers have`;
    return button("❝", () => this.chooseSentence(sentence), { class: "quote", "aria-label": label, title: label });
  }

  get marks() {
    return [...this.node.querySelectorAll(".mark")];
  }

  /** One mark can be reached by Tab: the current one, or the first. */
  #rove() {
    const marks = this.marks;
    const current = marks.find((node) => Number(node.dataset.start) === this.current) || marks[0];
    for (const node of marks) node.tabIndex = node === current ? 0 : -1;
  }

  #focused(event) {
    const node = event.target.closest(".mark");
    if (!node) return;
    const before = this.node.querySelector('.mark[tabindex="0"]');
    if (before) before.tabIndex = -1;
    node.tabIndex = 0;
    this.current = Number(node.dataset.start);
  }

  /** Bring the mark at or after a place into view and give it the focus. */
  focus(at) {
    const marks = this.marks;
    const node = marks.find((each) => Number(each.dataset.start) >= at) || marks.at(-1);
    if (!node) return;
    node.scrollIntoView({ block: "center" });
    node.focus({ preventScroll: true });
  }

  /** Bring a place into view and outline what is marked there, without taking the focus. */
  point(spans) {
    const starts = new Set(spans.map((span) => span.start));
    for (const node of this.marks)
      node.classList.toggle("chosen", starts.has(Number(node.dataset.start)) || starts.has(node.mark.span.start));
    const first = this.node.querySelector(".mark.chosen");
    if (first) first.scrollIntoView({ block: "center" });
  }

  #clicked(event) {
    const node = event.target.closest(".mark");
    if (node) this.choose(node.mark);
  }

  #pressed(event, quick) {
    const node = event.target.closest(".mark");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.#move(node, steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.choose(node.mark);
    else if (event.key === "Delete" || event.key.toLowerCase() === "k")
      quick(event.key === "Delete" ? "remove" : "keep", node.mark);
    else return;
    event.preventDefault();
  }

  #move(node, step) {
    const marks = this.marks;
    const target = Math.max(0, Math.min(marks.length - 1, marks.indexOf(node) + step));
    marks[target].focus();
  }

  /** What is selected with the mouse or by caret browsing, as a span of the source; null if nothing is. */
  selected() {
    const selection = getSelection();
    if (
      !selection ||
      selection.isCollapsed ||
      !this.node.contains(selection.anchorNode) ||
      !this.node.contains(selection.focusNode)
    )
      return null;
    const ends = [
      [selection.anchorNode, selection.anchorOffset],
      [selection.focusNode, selection.focusOffset],
    ].map(([node, offset]) => {
      const start = this.sources.get(node);
      return start === undefined ? null : this.review.text.point(this.review.text.unit(start) + offset);
    });
    if (ends.includes(null)) return null;
    const [start, end] = ends.sort((one, other) => one - other);
    return start < end ? { start, end } : null;
  }
}
