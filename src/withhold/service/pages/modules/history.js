// The log of a review: every decision as it was made, by whom and when. Nothing is ever taken out of it.

import { button, el, field, refill } from "./dom.js";
import { plural, when } from "./text.js";

const ACTIONS = {
  remove: "Removed",
  generalise: "Generalised",
  pseudonymise: "Pseudonymised",
  keep: "Kept",
  replace: "Rewrote",
};

/** Kinds of lines that undo never takes back. */
const LASTING = ["undo", "redo", "note", "approve", "release"];

/** Whether a decision was undone and is not in force. */
const undone = (line) => !line.counts && !LASTING.includes(line.kind);

/** A line of the log in words. */
export function described(review, { kind, decision }) {
  const spans = decision.spans || [];
  const text =
    review.terms.get(decision.term)?.text ?? (spans[0] ? review.text.slice(spans[0].start, spans[0].end) : "");
  const words = text.length > 50 ? `${text.slice(0, 50)}…` : text;
  switch (kind) {
    case "term":
      return `${ACTIONS[decision.action]} “${words}”${spans.length > 1 ? `, ${plural(spans.length, "place")}` : ""}`;
    case "finding":
      return `${decision.accept ? "Accepted" : "Rejected"} ${plural(spans.length, "finding")}`;
    case "strength":
      return `Slider of ${decision.secret}: ${decision.k === 1 ? "only what names it" : `stop ${decision.k}`}`;
    case "text":
      return `Edited the text in ${plural((decision.replacements || []).length, "place")}`;
    case "policy":
      return "Changed what to hide and keep";
    case "note":
      return "Note";
    case "approve":
    case "approval":
      return "Approved";
    case "release":
      return "Released";
    default:
      return kind.charAt(0).toUpperCase() + kind.slice(1);
  }
}

export class History {
  constructor(review) {
    this.review = review;
    this.lines = el("ol.lines", { reversed: true });
    const note = el("textarea", { maxlength: "10000" });
    const submit = async (event) => {
      event.preventDefault();
      if (note.value.trim() && (await review.decide({ kind: "note", note: note.value.trim() }, "Noted.")))
        note.value = "";
    };
    this.node = el(
      "div",
      {},
      el(
        "form",
        { onsubmit: submit },
        field("Note, for the log and the second reviewer", note),
        button("Add the note", null, { type: "submit", class: "small" }),
      ),
      el("h2", {}, "What was decided"),
      this.lines,
    );
  }

  draw() {
    const lines = [...this.review.log].reverse();
    refill(
      this.lines,
      lines.length
        ? lines.map((line) =>
            el(
              "li",
              {},
              el(`span${undone(line) ? ".undone" : ""}`, {}, described(this.review, line)),
              line.decision.note ? el("p", {}, `“${line.decision.note}”`) : null,
              el(
                "div.small.soft",
                {},
                `${line.who}, ${when(line.when)}${undone(line) ? "; undone" : ""}`,
              ),
            ),
          )
        : el("li", {}, "Nothing yet."),
    );
  }
}
