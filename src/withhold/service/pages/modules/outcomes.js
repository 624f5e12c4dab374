// How attacks on a document fared.

import { el } from "./dom.js";
import { bar } from "./meter.js";
import { percent } from "./text.js";

/** How attacks fared, those that win first: beside each other what each gains by chance, from the document as it was, and as it will be. */
export function outcomes(found) {
  if (!found.length) return el("p.small.soft", {}, "There was nothing to attack: no attack applies to this policy.");
  const gain = (title, share, bad) =>
    el(
      "div",
      {},
      el("dt", {}, title),
      el("dd", {}, share === null ? "not tried" : percent(share), share === null ? null : bar(share, { bad })),
    );
  return el(
    "ul.outcomes",
    { "aria-label": "Attacks, and what each gains" },
    [...found].sort((one, other) => other.wins - one.wins).map((each) =>
      el(
        "li",
        {},
        el(
          "div.head",
          {},
          el("strong", {}, each.attack.replace(":", ": ").replaceAll("_", " ")),
          el(`span.chip.${each.wins ? "bad" : "good"}`, {}, each.wins ? "! wins" : "✓ held off"),
        ),
        el("p.small.soft", {}, [each.secret, each.note].filter(Boolean).join("; ")),
        el(
          "dl",
          {},
          gain("By chance", each.baseline, false),
          gain("Before", each.before, false),
          gain("Now", each.result, each.wins),
        ),
      ),
    ),
  );
}
