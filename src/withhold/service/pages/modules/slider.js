// The slider of a secret: from only what names it to as many classes as can be had. All stops are asked for at once, so
// that moving costs nothing; what it does is shown in the document while it moves, and decided when it rests.

import { api } from "./api.js";
import { el, fresh, rested } from "./dom.js";
import { tellError } from "./messages.js";
import { percent, plural } from "./text.js";

const REST = 300;

/** A stop in a few words: of how many guesses the secret is one, or, where shares count, how far the slider is. */
function named(slider, stop) {
  if (stop.k === 1) return "only what names it";
  return slider.measure === "rank" ? `hidden among ${stop.k}` : `step ${stop.k} of ${slider.stops.length}`;
}

function described(slider, stop) {
  const name = named(slider, stop);
  const share = slider.words ? stop.words / slider.words : 1;
  const changed = stop.edits.length ? `${plural(stop.edits.length, "more place")} changed` : "nothing more changed";
  const ranked = slider.measure === "rank" && stop.risk > 0;
  const risk = ranked
    ? `the secret is guess ${Math.round(1 / stop.risk)}`
    : `the secret stands at ${percent(stop.risk)}`;
  const reached = stop.reached ? "" : " What this stop asks for cannot be had by removing words.";
  const stays = `${plural(stop.words, "word")} stay (${percent(share)})`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${changed}, ${stays}, ${risk}.${reached}`;
}

export class Slider {
  /** `preview` is shown the edits of a stop while the slider moves, and null when it rests. */
  constructor(review, slider, preview) {
    this.review = review;
    this.slider = slider;
    const id = fresh("slider");
    const { stops } = slider;
    this.input = el("input", {
      id,
      type: "range",
      min: "0",
      max: String(stops.length - 1),
      step: "1",
      oninput: () => this.#move(preview),
      onchange: rested(REST, () => this.#rest(preview)),
    });
    this.output = el("output", { for: id });
    this.node = el(
      "div.slide",
      {},
      el("label", { for: id }, `How much to hide of ${slider.secret}`),
      this.input,
      el(
        "div.ends",
        { "aria-hidden": "true" },
        el("span", {}, "only what names it"),
        el("span", {}, slider.measure === "rank" ? `among ${stops.at(-1).k}` : "all that helps"),
      ),
      this.output,
    );
    this.show();
  }

  get stop() {
    return this.slider.stops[Number(this.input.value)];
  }

  #move(preview) {
    this.output.textContent = described(this.slider, this.stop);
    this.input.setAttribute("aria-valuetext", named(this.slider, this.stop));
    preview(this.stop.edits.map((number) => this.slider.edits[number]));
  }

  async #rest(preview) {
    const stored = await this.review.decide({ kind: "strength", secret: this.slider.secret, k: this.stop.k });
    preview(null);
    if (!stored) this.show();
  }

  /** Stand where the decisions put it. */
  show() {
    const k = this.review.strength(this.slider.secret) ?? 1;
    const at = this.slider.stops.findLastIndex((stop) => stop.k <= k);
    this.input.value = String(Math.max(0, at));
    this.output.textContent = described(this.slider, this.stop);
    this.input.setAttribute("aria-valuetext", named(this.slider, this.stop));
  }
}

/** The sliders of every secret of a review that has more than one stop. */
export async function sliders(review, preview) {
  const { levels } = review.state.standing;
  const asked = levels.map(async ({ measure }, number) => ({
    ...(await api.get(`${review.path}/slider/${number}`)),
    measure,
  }));
  const found = await Promise.all(asked).catch((error) => (tellError(error), []));
  return found.filter((slider) => slider.stops.length > 1).map((slider) => new Slider(review, slider, preview));
}
