// The score: its parts in words, and its history drawn. It starts at 0, rises as less is told, and falls with what is
// deleted for nothing.

import { el, svg } from "./dom.js";
import { signed } from "./text.js";

const total = (score) => score.change + score.bonus + score.penalty;

function parts(score) {
  return el(
    "dl.parts",
    {},
    el("dt", {}, signed(score.change)),
    el("dd", {}, "for what the document now tells less of"),
    el("dt", {}, signed(score.bonus)),
    el("dd", {}, `for ${score.deleted} terms that are gone, each for what it told less one tenth`),
    el("dt", {}, signed(score.penalty)),
    el("dd", {}, "for what was deleted although it told little"),
  );
}

/** The score after each decision, as a line; the last one is named. */
function drawn(history) {
  const [wide, high] = [300, 80];
  const values = history.map((step) => step.padding_proof);
  const [low, top] = [Math.min(0, ...values), Math.max(0.01, ...values)];
  const x = (number) => 4 + ((wide - 44) * number) / Math.max(1, values.length - 1);
  const y = (value) => 8 + ((high - 16) * (top - value)) / (top - low);
  const last = values.length - 1;
  return svg(
    "svg.history",
    {
      viewBox: `0 0 ${wide} ${high}`,
      role: "img",
      "aria-label": `Score after each of ${last} decisions: ${values
        .map((value) => value.toFixed(2))
        .slice(-12)
        .join(", ")}`,
    },
    svg("line.zero", { x1: 0, x2: wide - 34, y1: y(0), y2: y(0) }),
    svg("text", { x: wide - 30, y: y(0) + 4 }, "0"),
    svg("path", {
      d: values.map((value, number) => `${number ? "L" : "M"}${x(number).toFixed(1)} ${y(value).toFixed(1)}`).join(""),
    }),
    svg("circle", { cx: x(last), cy: y(values[last]), r: 4 }),
    Math.abs(y(values[last]) - y(0)) > 12
      ? svg("text", { x: x(last) + 8, y: y(values[last]) + 4 }, values[last].toFixed(1))
      : null,
  );
}

export function score(state) {
  const { levels, padding_proof: proof, score: published } = state.standing;
  if (!levels.length)
    return el("p.small.soft", {}, "There is one once it is said, under “Set-up”, what a reader must not infer.");
  const history = state.history.length
    ? state.history
    : [{ decisions: 0, total: total(published), padding_proof: total(proof) }];
  return [
    el(
      "div.total",
      {},
      el("span.figure", {}, total(proof).toFixed(2)),
      el("span.small.soft", {}, "0 is the document as it was"),
    ),
    history.length > 1 ? drawn(history) : null,
    el(
      "details",
      {},
      el("summary", {}, "What it is made of"),
      parts(proof),
      el(
        "p.small",
        {},
        "Filler does not raise it: a word without meaning makes up for nothing. The score as it was published, which filler can raise, is ",
        el("span.number", {}, total(published).toFixed(2)),
        ".",
      ),
      el("p.small.soft", {}, "A score measures what the models see. Where you know better, keep to what you know."),
    ),
  ];
}
