// How things stand, on one panel: what to look at next, what a reader can tell, how far to go, the score, and what is not
// known.

import { el, refill } from "./dom.js";
import { Guide } from "./guide.js";
import { levels, meters } from "./meter.js";
import { score } from "./score.js";
import { sliders } from "./slider.js";
import { sentence } from "./text.js";

export class Standing {
  /** `open` shows a task of the guide, `choose` a term, `preview` the edits of a moving slider. */
  constructor(review, { open, choose, preview }) {
    this.review = review;
    this.choose = choose;
    this.preview = preview;
    this.sliders = [];
    this.draft = null;
    this.guide = new Guide(review, open);
    this.parts = Object.fromEntries(
      ["levels", "sliders", "meters", "score", "unknown"].map((name) => [name, el("div")]),
    );
    this.state = el("p.note.warn", { hidden: true }, "These numbers are of your draft, which is not kept yet.");
    this.node = el(
      "div",
      {},
      this.state,
      el("section", {}, el("h2", {}, "What to look at next"), this.guide.node),
      el("section", { id: "tell" }, el("h2", {}, "What a reader can tell"), this.parts.levels, this.parts.sliders),
      this.parts.meters,
      el("section", { id: "score" }, el("h2", {}, "Score"), this.parts.score),
      el("section", {}, el("h2", {}, "What is not known"), this.parts.unknown),
    );
  }

  /** Ask for the sliders anew: at first, and when the policy is another one. */
  async slide() {
    this.sliders = await sliders(this.review, this.preview);
    refill(
      this.parts.sliders,
      this.sliders.map((slider) => slider.node),
    );
  }

  /** Show the numbers of a draft, or, with null, those of the review. */
  show(draft) {
    this.draft = draft;
    this.draw();
  }

  draw() {
    const standing = this.draft || this.review.state.standing;
    this.state.hidden = !this.draft;
    this.guide.draw();
    refill(this.parts.levels, levels(this.review, standing, this.choose));
    for (const slider of this.sliders) if (document.activeElement !== slider.input) slider.show();
    refill(this.parts.meters, meters(standing));
    const open = this.parts.score.querySelector("details")?.open;
    refill(this.parts.score, score({ ...this.review.state, standing }));
    if (open) this.parts.score.querySelector("details").open = true;
    refill(this.parts.unknown, this.#unknown(standing));
  }

  #unknown(standing) {
    const notes = standing.notes.map(({ secret, text }) => (secret ? `${secret}: ${text}.` : sentence(text)));
    return el(
      "ul.small",
      {},
      [...new Set(notes)].map((text) => el("li", {}, text)),
      this.review.document.format === "txt"
        ? null
        : el("li", {}, "What pictures show. A release blanks them, unless the policy keeps them."),
      el("li", {}, "What someone knows who was there. Models know documents; a friend or a colleague knows more."),
    );
  }
}
