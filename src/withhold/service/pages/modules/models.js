// Models: fitted on documents whose classes are known, so that a service can tell what gives a class away.

import { api } from "./api.js";
import { el, field, refill } from "./dom.js";
import { asker, listed, maker } from "./made.js";
import { bar } from "./meter.js";
import { level } from "./marks.js";
import { percent, plural, Text } from "./text.js";

const words = (text) =>
  text
    .split(/[,\s]+/)
    .map((word) => word.trim())
    .filter(Boolean);

function form() {
  const secret = el("input", {
    type: "text",
    required: true,
    pattern: "[A-Za-z][A-Za-z0-9_\\-]{0,39}",
    value: "client",
    autocomplete: "off",
  });
  const keep = el("input", { type: "text", autocomplete: "off" });
  const text = el("input", { type: "text", required: true, value: "text", autocomplete: "off" });
  const holdout = el("input", { type: "number", min: "0", max: "0.9", step: "0.05", value: "0.3" });
  return maker("models", {
    title: "Fit a model",
    verb: "Fit it",
    accept: ".jsonl,.csv,.json",
    hint: "From a table of documents (JSONL or CSV): one a row, with its text and its classes. What it learns is which words give each class away.",
    fields: el(
      "div.columns",
      {},
      field("Column of the class to hide", secret),
      field("Columns to keep recognisable", keep, "Such as industry; several with commas."),
      field("Column of the text", text),
      field("Share kept for attackers", holdout, "Attackers learn from documents that the model never saw."),
    ),
    read: () => ({
      secret: secret.value.trim(),
      keep: words(keep.value),
      text: text.value.trim(),
      holdout: Number(holdout.value),
    }),
  });
}

/** A sentence with the words marked that speak for the likeliest class of each attribute. */
function marked(sentence, weighed) {
  const text = new Text(sentence);
  const most = Math.max(...weighed.map((word) => word.weight), 1e-9);
  const order = weighed
    .filter((word) => word.weight > 0)
    .sort((one, other) => one.span.start - other.span.start || other.weight - one.weight);
  const parts = [];
  let from = 0;
  for (const { span, weight, towards } of order) {
    if (span.start < from) continue;
    parts.push(
      text.slice(from, span.start),
      el(
        `span.mark.risk-${Math.max(1, level(weight / most))}`,
        { title: `speaks for ${towards}` },
        text.slice(span.start, span.end),
      ),
    );
    from = span.end;
  }
  return el("p.tests", {}, ...parts, text.slice(from, text.length));
}

/** What a model takes a sentence for. */
function tested(sentence, { standings, words: weighed }) {
  const attributes = [...new Set(standings.map((each) => each.attribute))];
  return [
    marked(sentence, weighed),
    el(
      "div.columns",
      {},
      attributes.map((attribute) => {
        const first = standings
          .filter((each) => each.attribute === attribute)
          .sort((one, other) => one.rank - other.rank)
          .slice(0, 5);
        return el(
          "div",
          {},
          el("h3", {}, attribute),
          el(
            "ol.places",
            {},
            first.map((each) =>
              el(
                "li",
                {},
                el("span.rank", {}, `${each.rank}.`),
                el("span.name", { title: each.name }, each.name),
                bar(each.likelihood),
                el("span.share", {}, percent(each.likelihood)),
              ),
            ),
          ),
        );
      }),
    ),
  ];
}

async function one(main, id) {
  const model = await api.get(`models/${id}`);
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("p.small", {}, el("a", { href: "#/models" }, "All models")),
        el("h1", {}, model.name),
        el("p", {}, `${plural(model.documents, "document")}, ${plural(model.words, "word")}.`),
      ),
      el(
        "div.card",
        {},
        el("h2", {}, "Try a sentence"),
        asker({ label: "A sentence, or a paragraph", verb: "What does it tell?", rows: 3 }, async (text) =>
          tested(text, await api.post(`models/${id}/test`, { text })),
        ),
      ),
      model.concepts.map(({ attribute, classes }) =>
        el(
          "div.card",
          {},
          el("h2", {}, `What gives away each ${attribute}`),
          el("p.small.soft", {}, `${plural(classes.length, "class", "classes")}; the words that speak for each most.`),
          el(
            "div.classes",
            {},
            classes.map((each) =>
              el(
                "div",
                {},
                el("strong", {}, each.name),
                el("span.small.soft", {}, ` ${plural(each.documents, "document")}`),
                el("div.words", {}, each.words.join(", ")),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

export async function show(main, id) {
  if (id) return one(main, id);
  const { made } = await api.get("models");
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("h1", {}, "Models"),
        el(
          "p",
          {},
          "A model knows what documents of each class are like. It says how likely a reader with such documents takes yours to be of each.",
        ),
      ),
      listed("models", made, () => show(main)),
      form(),
    ),
  );
  return undefined;
}
