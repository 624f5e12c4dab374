// Corpora: what readers can look up.

import { api } from "./api.js";
import { el, refill } from "./dom.js";
import { asker, listed, maker } from "./made.js";
import { highlighted } from "./evidence.js";
import { plural } from "./text.js";

const split = (text) =>
  text
    .split(/[\n,]/)
    .map((term) => term.trim())
    .filter(Boolean);

function counted(terms, answer) {
  return el(
    "table",
    {},
    el("caption", {}, `Of ${plural(answer.of_documents, "document")} and ${plural(answer.of_paragraphs, "paragraph")}`),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["Term", "Documents", "Paragraphs"].map((title, at) => el(at ? "th.number" : "th", { scope: "col" }, title)),
      ),
    ),
    el(
      "tbody",
      {},
      terms.map((term, number) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, term),
          el("td.number", {}, answer.documents[number].toLocaleString("en-GB")),
          el("td.number", {}, answer.paragraphs[number].toLocaleString("en-GB")),
        ),
      ),
      el(
        "tr",
        {},
        el("th", { scope: "row" }, "All of them together"),
        el("td.number", {}, answer.documents_with_all.toLocaleString("en-GB")),
        el("td.number", {}, answer.paragraphs_with_all.toLocaleString("en-GB")),
      ),
    ),
  );
}

async function one(main, id) {
  const corpus = await api.get(`corpora/${id}`);
  const search = async (query) => {
    const { hits } = await api.post(`corpora/${id}/search`, { query });
    return hits.length
      ? hits.map((hit) =>
          el(
            "blockquote.snippet",
            {},
            el("cite", {}, hit.title || hit.document),
            highlighted(
              hit.snippet,
              query.split(/\s+/).filter((word) => word.length > 2),
            ),
          ),
        )
      : el("p", {}, "Nothing was found.");
  };
  const count = async (text) => counted(split(text), await api.post(`corpora/${id}/count`, { terms: split(text) }));
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("p.small", {}, el("a", { href: "#/corpora" }, "All corpora")),
        el("h1", {}, corpus.name),
        el("p", {}, `${plural(corpus.documents, "document")}, ${plural(corpus.paragraphs, "paragraph")}.`),
      ),
      el(
        "div.card",
        {},
        el("h2", {}, "Search it as a reader would"),
        asker({ label: "Words or a sentence", verb: "Search" }, search),
      ),
      el(
        "div.card",
        {},
        el("h2", {}, "Count terms"),
        asker(
          {
            label: "Terms, one a line",
            hint: "How many documents have each, and all of them together: that is what inferences are made of.",
            verb: "Count",
            rows: 3,
          },
          count,
        ),
      ),
    ),
  );
}

export async function show(main, id) {
  if (id) return one(main, id);
  const { made } = await api.get("corpora");
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("h1", {}, "Corpora"),
        el(
          "p",
          {},
          "A corpus is what your readers can look up: an archive, an encyclopaedia, the press. It stays on this machine.",
        ),
      ),
      listed("corpora", made, () => show(main)),
      maker("corpora", {
        title: "Build a corpus",
        verb: "Build it",
        hint: "From documents, tables (JSONL or CSV), mail or Web archives.",
        fields: null,
        read: () => ({}),
      }),
    ),
  );
  return undefined;
}
