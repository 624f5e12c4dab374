// The guide: one thing to look at next, and why. It steps through what matters most; what to do is asked, never done.

import { button, el, redrawn, refill } from "./dom.js";
import { say } from "./messages.js";
import { plural, sentence } from "./text.js";

const TITLES = {
  written: "Still written out",
  finding: "Perhaps personal",
  strength: "The slider",
  term: "Tells much",
  verbatim: "Known word for word",
  unknown: "Not known",
};

export class Guide {
  /** `open` shows a task in the document and its panel. */
  constructor(review, open) {
    this.review = review;
    this.open = open;
    this.at = 0;
    this.node = el("div");
  }

  get tasks() {
    return this.review.state.guide;
  }

  words(task) {
    const term = task.term ? this.review.terms.get(task.term)?.text : null;
    if (term) return term;
    const span = task.spans[0];
    return span ? this.review.text.slice(span.start, span.end) : "";
  }

  draw() {
    redrawn(this.node, () => this.#draw());
  }

  #draw() {
    if (this.drawn !== this.review.state) this.at = 0;
    this.drawn = this.review.state;
    this.at = Math.min(this.at, Math.max(0, this.tasks.length - 1));
    const task = this.tasks[this.at];
    if (!task) {
      refill(
        this.node,
        el(
          `p.note.${this.review.document.words ? "good" : "warn"}`,
          {},
          this.review.document.words
            ? "The guide has nothing more to show. It only knows what its models know: read the document once as a stranger would."
            : "There are no words here for the guide to look at.",
        ),
      );
      return;
    }
    const words = this.words(task);
    refill(
      this.node,
      el(
        "div.advice",
        {},
        el("p.small.strong", {}, `${TITLES[task.kind] || "Look at this"} · ${this.at + 1} of ${this.tasks.length}`),
        words ? el("p.term", {}, words.length > 160 ? `${words.slice(0, 160)}…` : words) : null,
        el("p", {}, sentence(task.reason)),
        el(
          "div.buttons",
          {},
          task.kind === "unknown" && !words
            ? null
            : button("Look at it", () => this.go(this.at), { class: "main small" }),
          button("Back", () => this.step(-1), { class: "small", disabled: this.at === 0 }),
          button("Next", () => this.step(1), { class: "small", disabled: this.at >= this.tasks.length - 1 }),
        ),
      ),
    );
  }

  step(by) {
    this.at = Math.max(0, Math.min(this.tasks.length - 1, this.at + by));
    this.draw();
    say(
      `${this.at + 1} of ${plural(this.tasks.length, "thing")} to look at. ${this.words(this.tasks[this.at])}. ${this.tasks[this.at].reason}`,
    );
  }

  /** Show a task; without a number, the one that matters most. */
  go(at = 0) {
    this.at = at;
    this.draw();
    const task = this.tasks[at];
    if (task) this.open(task);
    else say("The guide has nothing more to show.");
  }
}
