// The workbench of one review: the document, and beside it what is known, what to do, and what was done.

import { api } from "./api.js";
import { button, el, refill } from "./dom.js";
import { Draft } from "./draft.js";
import { described, History } from "./history.js";
import { List } from "./list.js";
import { legend } from "./looks.js";
import { mend } from "./mend.js";
import { say } from "./messages.js";
import { Prints } from "./prints.js";
import { ReleasePanel } from "./release.js";
import { changeSetup } from "./setup.js";
import { Sheet } from "./sheet.js";
import { Standing } from "./standing.js";
import { Review } from "./state.js";
import { ofMark, ofSentence, ofTerm, ofWords } from "./subject.js";
import { Tabs } from "./tabs.js";
import { TermPanel } from "./term.js";
import { Tip } from "./tip.js";

/** What another set-up can mend. */
const MENDABLE = ["NotOnTheShelf", "NoCorpus", "PolicyError"];

const STATUS = { open: ["at work", ""], approved: ["✓ approved", "good"], released: ["✓ released", "good"] };

class Bench {
  constructor(review, me) {
    this.review = review;
    this.sheet = new Sheet(review, {
      choose: (mark) => this.open(ofMark(review, mark)),
      chooseSentence: (sentence) => this.open(ofSentence(review, sentence)),
      quick: (action, mark) => this.#quick(action, mark),
    });
    this.tip = new Tip(review, this.sheet);
    this.prints = new Prints(review, (span) => this.sheet.point([span]));
    this.term = new TermPanel(review, (spans) => this.#point(spans));
    this.standing = new Standing(review, {
      open: (task) => this.#task(task),
      choose: (term) => this.open(ofTerm(term)),
      preview: (edits) => this.#slide(edits),
    });
    this.draft = new Draft(review, (standing) => this.standing.show(standing));
    this.list = new List(review, { open: (subject) => this.open(subject), say });
    this.release = new ReleasePanel(review, me, () => {
      this.tabs.show("list");
      this.list.undecided();
    });
    this.history = new History(review);
    this.node = this.#layout();
    this.view("sanitize");
    this.sheet.node.addEventListener("mouseup", () => this.#selected());
    this.tabs.panel("term").addEventListener("keydown", (event) => event.key === "Escape" && this.#back());
  }

  #layout() {
    this.tabs = new Tabs(
      "Beside the document",
      [
        ["standing", "Overview", this.standing.node],
        ["term", "Term", this.term.node],
        ["list", "List", this.list.node],
        ["release", "Release", this.release.node],
        ["log", "Log", this.history.node],
      ],
      (name) => {
        this.#shown(name);
        this.#raise(true);
      },
    );
    this.grip = button("", () => this.#raise(!this.aside.classList.contains("up")), {
      class: "grip small quiet",
      "aria-expanded": "false",
    });
    this.aside = el("aside.aside", { "aria-label": "Panel" }, this.tabs.list, this.grip, this.tabs.panels);
    this.page = el("div.work", { "aria-busy": "true" });
    return el("div.bench", {}, this.#bar(), this.page, this.aside);
  }

  #bar() {
    this.status = el("span.chip");
    this.undo = button("Undo", () => this.#undo(), { class: "small", disabled: true });
    this.redo = button("Redo", () => this.#redo(), { class: "small", disabled: true });
    this.views = [
      ["sanitize", "Sanitize"],
      ["plain", "Plain text"],
    ].map(([name, label]) =>
      button(label, () => this.view(name), { class: "small", "aria-pressed": "false", data: { view: name } }),
    );
    return el(
      "div.bar",
      {},
      el("h1", { title: this.review.review.name }, this.review.review.name),
      this.status,
      el("div.group", { role: "group", "aria-label": "View" }, this.views),
      el("span.space"),
      button("Guide me", () => this.standing.guide.go(0), { class: "small main", id: "guide" }),
      this.undo,
      this.redo,
      button("Set-up", () => this.#setUp(), { class: "small" }),
      button("Attack and release", () => this.tabs.show("release", { focus: true }), {
        class: "small",
        id: "to-release",
      }),
    );
  }

  /** Once it is known how the review stands. */
  async ready() {
    this.review.addEventListener("change", () => this.draw());
    this.review.addEventListener("overview", () => this.standing.slide());
    this.page.removeAttribute("aria-busy");
    this.draw();
    this.tabs.show("standing");
    this.#raise(false);
    await Promise.all([this.standing.slide(), this.prints.load()]);
  }

  draw() {
    const { review } = this.review;
    const [word, tone] = STATUS[review.status];
    refill(this.status, word).className = `chip ${tone}`;
    this.#step(this.undo, "Undo", "Ctrl+Z", review.undoes);
    this.#step(this.redo, "Redo", "Ctrl+Shift+Z", review.redoes);
    this.tip.hide();
    this.sheet.draw();
    this.standing.draw();
    this.draft.draw();
    this.prints.draw();
    this.term.draw();
    this.#shown(this.tabs.current);
  }

  /** Undo and redo say what they would do. */
  #step(button, verb, keys, number) {
    const line = this.review.line(number);
    const what = line ? `${verb}: ${described(this.review, line)}` : verb;
    button.disabled = !line;
    button.title = `${what} (${keys})`;
    button.setAttribute("aria-label", what);
  }

  /** A panel that is shown is drawn; the others wait until they are. */
  #shown(name) {
    if (!this.review.state) return;
    if (name === "list") this.list.draw();
    if (name === "log") this.history.draw();
    if (name === "release") this.release.draw();
  }

  /** On a narrow screen the panel is a sheet that comes up. */
  #raise(up) {
    this.aside.classList.toggle("up", up);
    refill(this.grip, el("span", { "aria-hidden": "true" }, up ? "▾" : "▴"));
    this.grip.setAttribute("aria-label", up ? "Close the panel" : "Open the panel");
    this.grip.setAttribute("aria-expanded", String(up));
  }

  view(name) {
    for (const each of this.views) each.setAttribute("aria-pressed", String(each.dataset.view === name));
    this.tip.hide();
    refill(
      this.page,
      name === "plain" ? this.draft.node : [legend(), this.prints.beside(this.sheet.node), this.tip.node],
    );
    if (name === "plain") this.draft.shown();
  }

  open(subject) {
    this.tip.hide();
    this.tabs.show("term");
    this.sheet.point(subject.spans);
    this.prints.show(subject.spans);
    this.term.show(subject);
    say(`Opened ${subject.text}. What can be done is in the panel Term.`);
    this.tabs.panel("term").scrollTop = 0;
    this.tabs.panel("term").focus({ preventScroll: true });
  }

  /** From a term's panel back to its place in the document. */
  #back() {
    if (!this.term.subject) return;
    this.view("sanitize");
    this.#raise(false);
    this.sheet.focus(this.term.subject.here.start);
  }

  #point(spans) {
    this.view("sanitize");
    this.sheet.point(spans);
  }

  /** Show what the guide speaks of: the slider, a term, a sentence, or words. */
  #task(task) {
    this.view("sanitize");
    if (task.kind === "strength") {
      this.tabs.show("standing");
      const slider = this.standing.sliders.find((each) => each.slider.secret === task.secret);
      (slider?.input || this.tabs.panel("standing")).focus();
      return;
    }
    const sentence =
      task.kind === "verbatim" && this.review.overview.verbatim.find(({ span }) => span.start === task.spans[0].start);
    const term = this.review.terms.get(task.term);
    this.open(sentence ? ofSentence(this.review, sentence) : term ? ofTerm(term) : ofWords(this.review, task.spans[0]));
  }

  #slide(edits) {
    this.review.sliding = edits;
    this.sheet.draw();
    this.prints.draw();
  }

  #quick(action, mark) {
    const subject = ofMark(this.review, mark);
    const decision =
      subject.kind === "term"
        ? { kind: "term", action, term: subject.term.id }
        : { kind: "term", action, spans: subject.spans };
    this.review.decide(decision, action === "keep" ? "Kept." : "Removed.");
  }

  #setUp() {
    changeSetup(this.review.policy, (policy) => this.review.decide({ kind: "policy", policy }));
  }

  #undo() {
    const line = this.review.line(this.review.review.undoes);
    this.review.undo(line ? `Undone: ${described(this.review, line)}.` : "");
  }

  #redo() {
    const line = this.review.line(this.review.review.redoes);
    this.review.redo(line ? `Done again: ${described(this.review, line)}.` : "");
  }

  #selected() {
    const span = this.sheet.selected();
    if (span && this.review.text.slice(span.start, span.end).trim()) this.open(ofWords(this.review, span));
  }

  /** Keys that hold wherever the focus is, except where one writes. */
  pressed(event) {
    if (event.key === "Escape") this.tip.hide();
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.#undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) this.#redo();
    else return;
    event.preventDefault();
  }
}

/** Show a review: its text at once, what is known about it as soon as that is there. */
export async function show(main, id) {
  const review = new Review(id);
  const mended = (error) => {
    if (!MENDABLE.includes(error.kind)) throw error;
    return mend(main, id, error);
  };
  const read = review.read().catch(mended);
  const [there, me, { labels }] = await Promise.all([read, api.get("me"), api.get("about")]);
  if (!there) return undefined;
  for (const { name, doc } of labels) review.labels[name] = doc;
  const bench = new Bench(review, me);
  refill(main, bench.node);
  const busy = el(
    "p.note",
    { role: "status" },
    "Reading it as others would: names, what they can look up, what they can infer…",
  );
  bench.page.prepend(busy);
  const loaded = await review.load().catch(mended);
  if (!loaded) return undefined;
  busy.remove();
  await bench.ready();
  const focused = () => review.refresh();
  const pressed = (event) => bench.pressed(event);
  const leaving = (event) => bench.draft.dirty && event.preventDefault();
  window.addEventListener("focus", focused);
  window.addEventListener("keydown", pressed);
  window.addEventListener("beforeunload", leaving);
  return () => {
    if (bench.draft.dirty && !confirm("Your edited text is not kept yet. Leave it?")) return false;
    window.removeEventListener("focus", focused);
    window.removeEventListener("keydown", pressed);
    window.removeEventListener("beforeunload", leaving);
    return true;
  };
}
