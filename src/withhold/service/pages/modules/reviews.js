// The list of reviews, newest first.

import { api } from "./api.js";
import { confirmed } from "./ask.js";
import { button, el, refill } from "./dom.js";
import { tell, tellError } from "./messages.js";
import { when } from "./text.js";

const WORDS = { open: ["at work", ""], approved: ["✓ approved", "good"], released: ["✓ released", "good"] };

async function remove(review, main) {
  if (
    !(await confirmed(
      `Delete “${review.name}”?`,
      "The document, every decision and what was released are deleted for good. Files that you downloaded stay where they are.",
      "Delete",
    ))
  )
    return;
  try {
    await api.delete(`reviews/${review.id}`);
    tell("Deleted.", { kind: "good" });
    await show(main);
  } catch (error) {
    tellError(error);
  }
}

function row(review, main) {
  const [word, tone] = WORDS[review.status];
  const cell = (name, ...children) => el("td", { data: { name } }, children);
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      el("a", { href: `#/reviews/${review.id}` }, review.name),
      el("div.small.soft", {}, review.format),
    ),
    cell("Status", el(`span.chip${tone ? `.${tone}` : ""}`, {}, word)),
    cell("Decisions", review.decisions.toLocaleString("en-GB")),
    cell("Owner", review.owner),
    cell("Changed", when(review.changed)),
    cell("Deleted on", when(review.expires)),
    el(
      "td",
      {},
      button("Delete", () => remove(review, main), { class: "small quiet", "aria-label": `Delete ${review.name}` }),
    ),
  );
}

export async function show(main) {
  const [{ reviews }, about] = await Promise.all([api.get("reviews"), api.get("about")]);
  const head = ["Document", "Status", "Decisions", "Owner", "Changed", "Deleted on", ""];
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("h1", {}, "Reviews"),
        el("p", {}, "Documents at work. Everything you decide is stored as you decide it; come back at any time."),
      ),
      el(
        "div.buttons",
        {},
        el("a.button.main", { href: "#/open" }, "Open a file"),
        about.example ? el("a.button", { href: `#/reviews/${about.example}` }, "Open the example") : null,
      ),
      reviews.length
        ? el(
            "div.card.spaced",
            {},
            el(
              "table.wide",
              {},
              el(
                "thead",
                {},
                el(
                  "tr",
                  {},
                  head.map((title) => el("th", { scope: "col" }, title || el("span.unseen", {}, "Actions"))),
                ),
              ),
              el(
                "tbody",
                {},
                reviews.map((review) => row(review, main)),
              ),
            ),
          )
        : el(
            "div.card.empty.spaced",
            {},
            el("p", {}, "Nothing is at work."),
            el("p", {}, "Open a file to see what it tells, and to whom."),
          ),
    ),
  );
}
