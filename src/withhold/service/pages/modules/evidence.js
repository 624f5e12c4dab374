// Evidence for what a term tells: rules with their counts, and documents that readers have.

import { el } from "./dom.js";
import { percent } from "./text.js";

/** A text with some words in it marked, as nodes. */
export function highlighted(text, words) {
  const parts = [];
  const lower = text.toLowerCase();
  const wanted = words.map((word) => word.toLowerCase()).filter((word) => word.trim());
  let from = 0;
  if (lower.length !== text.length) return [text];
  for (;;) {
    const next = wanted
      .map((word) => [lower.indexOf(word, from), word.length])
      .filter(([at]) => at >= 0)
      .sort((one, other) => one[0] - other[0] || other[1] - one[1])[0];
    if (!next) break;
    parts.push(text.slice(from, next[0]), el("mark", {}, text.slice(next[0], next[0] + next[1])));
    from = next[0] + next[1];
  }
  return [...parts, text.slice(from)];
}

/** What it tells alone and with others, with the documents that show it. */
export function rules(review, detail) {
  if (!detail.rules.length)
    return el("p.small.soft", {}, "There is none: no document of the corpus and no class of the model speaks of it.");
  return detail.rules.slice(0, 6).map((rule) => {
    const others = rule.terms
      .filter((id) => id !== detail.id)
      .map((id) => review.terms.get(id)?.text)
      .filter(Boolean);
    const counts = Object.entries(rule.counts)
      .filter(([, count]) => !new RegExp(`\\b${count}\\b`).test(rule.reason))
      .map(([name, count]) => `${name}: ${count.toLocaleString("en-GB")}`)
      .join(", ");
    return el(
      "div",
      {},
      el(
        "h3",
        {},
        others.length ? `With ${others.map((text) => `“${text}”`).join(" and ")}` : "Alone",
        rule.confidence <= 1 ? `: ${percent(rule.confidence)}` : "",
      ),
      el("p.small", {}, rule.reason, counts ? ` (${counts})` : ""),
      rule.documents
        .slice(0, 3)
        .map((hit) =>
          el(
            "blockquote.snippet",
            {},
            el("cite", {}, hit.title || hit.document),
            highlighted(hit.snippet, [detail.text, ...others]),
          ),
        ),
    );
  });
}
