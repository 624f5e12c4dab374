// How marks look, and what is said of them to those who do not see them.

import { el } from "./dom.js";
import { level, LEVELS } from "./marks.js";
import { percent } from "./text.js";

/** How a mark looks, what it says, and what is said of it to those who do not see it. */
export function dress(mark, source) {
  if (mark.kind === "edit") {
    const removed = mark.edit.operator === "suppress" || mark.edit.operator === "mask" || mark.text === "";
    const shown = mark.text || "removed";
    return {
      classes: removed ? "removed" : "changed",
      shown,
      label: `${shown}, ${removed ? "in place of what is removed" : "written instead"}`,
    };
  }
  if (mark.kept) return { classes: "kept", shown: source, label: `${source}, kept by your decision` };
  if (mark.kind === "finding") {
    const doubtful = mark.finding.doubtful;
    return {
      classes: `finding${doubtful ? " doubtful" : ""}`,
      shown: source,
      label: `${source}, ${mark.finding.label}${doubtful ? ", not sure: you decide" : ""}`,
    };
  }
  const step = level(mark.risk);
  return { classes: `risk-${step}`, shown: source, label: `${source}, ${LEVELS[step]}, ${percent(mark.risk)}` };
}

/** What the looks mean, in a line. */
export function legend() {
  const sample = (classes, text) => el(`span.sample.mark.${classes}`, {}, text);
  return el(
    "ul.legend",
    { "aria-label": "What the marks mean" },
    [1, 2, 3, 4, 5].map((step) => el("li", {}, sample(`risk-${step}`, LEVELS[step]))),
    el("li", {}, sample("finding", "personal")),
    el("li", {}, sample("removed", "will go")),
    el("li", {}, sample("changed", "will read")),
    el("li", {}, sample("kept", "kept")),
    el("li", {}, el("span.sample.verbatim", {}, "❝ known word for word")),
  );
}
