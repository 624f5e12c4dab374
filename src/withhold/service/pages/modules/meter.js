// What a reader can tell: each risk against what is asked for, and the classes before and now.

import { button, el, svg } from "./dom.js";
import { percent, plural, sentence } from "./text.js";

const SHOWN = 6;

/** A bar from 0 to 1: `now` filled, `before` outlined, a line at the ceiling. */
export function bar(now, { before = null, ceiling = null, bad = false, label = "" } = {}) {
  const at = (share) => 200 * Math.max(0, Math.min(1, share));
  return svg(
    "svg.bars",
    {
      viewBox: "0 0 200 10",
      preserveAspectRatio: "none",
      role: label ? "img" : null,
      "aria-label": label || null,
      "aria-hidden": label ? null : "true",
    },
    svg("rect.track", { x: 0, y: 3, width: 200, height: 4, rx: 2 }),
    svg(`rect.${bad ? "bad" : "now"}`, { x: 0, y: 2, width: Math.max(1, at(now)), height: 6, rx: 2 }),
    before === null
      ? null
      : svg("rect.before", { x: 0.75, y: 0.75, width: Math.max(1, at(before) - 1.5), height: 8.5, rx: 2 }),
    ceiling === null ? null : svg("line.ceiling", { x1: at(ceiling), x2: at(ceiling), y1: -1, y2: 11 }),
  );
}

/** The risk of one secret: a verdict in words, a bar, and what a person keeps although it tells. */
function level(review, each, open) {
  const kept = each.kept.map((id) => review.terms.get(id)).filter(Boolean);
  const title =
    each.measure === "rank"
      ? "The longer the bar, the higher the secret stands among a reader's guesses."
      : "The share of what a reader can look up that tells.";
  return el(
    "div.level",
    { title },
    el(
      "div.head",
      {},
      el("span", {}, each.secret),
      el(`span.chip.${each.stays ? "bad" : "good"}`, {}, each.stays ? "! can still be told" : "✓ hidden so far"),
    ),
    bar(each.now, {
      before: each.before,
      ceiling: each.ceiling,
      bad: each.stays,
      label: `Risk before ${percent(each.before)}, now ${percent(each.now)}, at most ${percent(each.ceiling)} asked for`,
    }),
    el("p.small", {}, sentence(each.verdict)),
    kept.length
      ? el(
          "p.small",
          {},
          "You keep what tells it: ",
          kept.map((term) => [button(term.text, () => open(term), { class: "quiet small" }), " "]),
        )
      : null,
  );
}

/** The risks of a standing: that of the review, or of a draft of it. */
export function levels(review, standing, open) {
  const { levels: all } = standing;
  if (!all.length)
    return el(
      "p.small.soft",
      {},
      "No secret is named: only personal data is looked for. Under “Set-up” you can say what a reader must not infer.",
    );
  return all.map((each) => level(review, each, open));
}

function place(each) {
  const moved = each.rank === each.rank_before ? "" : ` (was ${each.rank_before})`;
  return el(
    "li",
    { title: `Before: rank ${each.rank_before}, ${percent(each.before)}` },
    el("span.rank", {}, `${each.rank}.`),
    el(
      `span.name${each.true ? ".true" : ""}`,
      {},
      each.true ? `● ${each.name}` : each.name,
      moved ? el("span.moved", {}, moved) : null,
    ),
    bar(each.likelihood, { before: each.before, bad: false }),
    el("span.share", {}, percent(each.likelihood)),
  );
}

/** The classes of one attribute, the likeliest first; the true one is always among them. */
function meter(each) {
  const first = each.places.slice(0, SHOWN);
  const rest = each.places.slice(SHOWN).filter((one) => one.true);
  const hidden = each.places.length - first.length - rest.length;
  return el(
    "section",
    {},
    el("h3", {}, each.keep ? `To keep: ${each.attribute}` : `To hide: ${each.attribute}`),
    el("ol.places", { "aria-label": `${each.attribute}, the likeliest first` }, [...first, ...rest].map(place)),
    el(
      "p.small.soft",
      {},
      "● the true one. Filled: now; outline: before.",
      hidden > 0 ? ` ${plural(hidden, "less likely class", "less likely classes")} not shown.` : "",
    ),
  );
}

export function meters(standing) {
  return standing.meters.map(meter);
}
