// Words that say less, each measured by the risk model before it is offered.

import { button, el } from "./dom.js";
import { percent } from "./text.js";

/** What an offer would tell, in place of what it is offered for. The numbers beside a term are of the term alone or in pairs. */
function telling({ measure, before, after }) {
  const [now, then] = [percent(before), percent(after)];
  if (measure === "alone") return `tells ${then} alone, in place of ${now}`;
  if (measure === "added") return `adds ${then} to what the rest tells, in place of ${now}`;
  return `the document then tells ${then}, in place of ${now}`;
}

export function offers(answer, subject, take) {
  if (answer.error) return el("p.small", {}, answer.error.message);
  const found = answer.suggestions;
  if (!found.length)
    return el(
      "p.small.soft",
      {},
      "Nothing was found that says less and still fits. Remove it, or write something yourself.",
    );
  const other = (span) => span.start !== subject.here.start || span.end !== subject.here.end;
  return el(
    "ul.offers",
    {},
    found.map((offer) =>
      el(
        "li",
        {},
        el("span.text", {}, offer.text || "(nothing)"),
        button("Use it", () => take(offer.text, other(offer.span) ? offer.span : undefined), {
          class: "small",
          "aria-label": `Use “${offer.text}”`,
        }),
        el(
          "span.small.soft",
          {},
          `${telling(offer)}; keeps ${percent(offer.kept)} of the meaning`,
        ),
      ),
    ),
  );
}
