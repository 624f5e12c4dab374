// The review list: everything there is to decide about, with filters, one by one or many at once, all of it by keyboard.

import { button, el, field, refill, rested } from "./dom.js";
import { rows } from "./rows.js";
import { ofTerm, ofWords, places } from "./subject.js";
import { plural } from "./text.js";

const SHOWN = 150;
const STATUS = { open: ["to decide", "warn"], goes: ["goes", ""], stays: ["stays", "good"] };

export class List {
  constructor(review, { open, say }) {
    this.review = review;
    this.open = open;
    this.say = say;
    this.chosen = new Set();
    this.shown = SHOWN;
    this.current = 0;
    this.filters = this.#filters();
    this.count = el("p.small.soft", { role: "status" });
    this.all = el("input", { type: "checkbox", "aria-label": "All shown", onchange: () => this.#chooseAll() });
    this.rows = el("ul.rows", {
      "aria-label":
        "To decide about. Arrow keys move, Space selects, A accepts it and it goes, R rejects it and it stays, Enter opens it.",
      onkeydown: (event) => this.#pressed(event),
    });
    this.more = button(
      "Show more",
      () => {
        this.shown += SHOWN;
        this.draw();
      },
      { class: "small" },
    );
    this.node = el(
      "div",
      {},
      this.filters.node,
      el(
        "div.buttons",
        {},
        el("label.check", {}, this.all, "All"),
        button("Accept selected", () => this.#bulk(true), { class: "small" }),
        button("Reject selected", () => this.#bulk(false), { class: "small" }),
      ),
      el("p.small.soft", {}, "Accept: it goes. Reject: it stays."),
      this.count,
      this.rows,
      this.more,
    );
  }

  #filters() {
    const redraw = () => {
      this.shown = SHOWN;
      this.current = 0;
      this.draw();
    };
    const choice = (label, options) => {
      const select = el(
        "select",
        { onchange: redraw },
        options.map(([value, text]) => el("option", { value }, text)),
      );
      return [select, field(label, select)];
    };
    const [status, one] = choice("Stands", [
      ["", "all"],
      ["open", "to decide"],
      ["goes", "goes"],
      ["stays", "stays"],
    ]);
    const [kind, two] = choice("What", [
      ["", "all"],
      ["finding", "personal data"],
      ["term", "telling terms"],
      ["doubtful", "not sure"],
    ]);
    const search = el("input", {
      type: "search",
      autocomplete: "off",
      oninput: rested(120, redraw),
      onkeydown: (event) => event.key === "Enter" && this.#find(),
    });
    const three = field("Words", search, "Enter looks for them in the document, whether marked or not.");
    three.classList.add("wide");
    return { status, kind, search, node: el("div.filters", {}, one, two, three) };
  }

  /** Open whatever words are typed, so that what nobody marked can be decided about, too. */
  #find() {
    const words = this.filters.search.value.trim();
    const [first] = places(this.review.text, words);
    if (!first) return this.say(words ? "The document does not have these words." : "");
    return this.open(ofWords(this.review, first));
  }

  /** Show what was found but not for sure, and nobody has decided about; begin at the first. */
  undecided() {
    this.filters.status.value = "open";
    this.filters.kind.value = "doubtful";
    this.filters.search.value = "";
    this.shown = SHOWN;
    this.draw();
    this.#focus(0);
  }

  get wanted() {
    const { status, kind, search } = this.filters;
    const words = search.value.trim().toLowerCase();
    return this.found.filter(
      (row) =>
        (!status.value || row.status === status.value) &&
        (!kind.value || row.kind === kind.value || (kind.value === "doubtful" && row.finding?.doubtful)) &&
        (!words || row.text.toLowerCase().includes(words) || row.label.toLowerCase().includes(words)),
    );
  }

  draw() {
    this.found = rows(this.review);
    const wanted = this.wanted;
    const open = this.found.filter((row) => row.status === "open").length;
    this.count.textContent = `${plural(wanted.length, "entry", "entries")} shown of ${this.found.length}; ${open} to decide.`;
    const focused = this.rows.contains(document.activeElement);
    refill(
      this.rows,
      wanted.slice(0, this.shown).map((row, number) => this.#row(row, number)),
    );
    this.current = Math.max(0, Math.min(this.current, this.rows.children.length - 1));
    this.more.hidden = wanted.length <= this.shown;
    if (focused) this.#focus(this.current);
  }

  #row(row, number) {
    const [word, tone] = STATUS[row.status];
    const name = row.text.length > 60 ? `${row.text.slice(0, 60)}…` : row.text;
    const item = el(
      "li",
      { data: { number } },
      el("input", {
        type: "checkbox",
        checked: this.chosen.has(row.id),
        "aria-label": `Select ${name}`,
        tabindex: "-1",
        onchange: (event) => (event.target.checked ? this.chosen.add(row.id) : this.chosen.delete(row.id)),
      }),
      button(name, () => this.#opened(row), { class: "open text", tabindex: number === this.current ? "0" : "-1" }),
      el(`span.chip${tone ? `.${tone}` : ""}`, {}, word),
      el(
        "span.where",
        {},
        row.why,
        row.spans.length > 1 ? `, ${row.spans.length} places` : "",
        " ",
        button("Accept", () => this.#decide([row], true), {
          class: "small quiet",
          tabindex: "-1",
          "aria-label": `Accept: ${name}`,
        }),
        button("Reject", () => this.#decide([row], false), {
          class: "small quiet",
          tabindex: "-1",
          "aria-label": `Reject: ${name}`,
        }),
      ),
    );
    item.row = row;
    return item;
  }

  #opened(row) {
    this.open(row.term ? ofTerm(row.term) : ofWords(this.review, row.spans[0]));
  }

  #chooseAll() {
    for (const row of this.wanted) this.all.checked ? this.chosen.add(row.id) : this.chosen.delete(row.id);
    this.draw();
  }

  #bulk(accept) {
    const chosen = this.found.filter((row) => this.chosen.has(row.id));
    if (!chosen.length) return this.say("Nothing is selected.");
    this.chosen.clear();
    this.all.checked = false;
    return this.#decide(chosen, accept);
  }

  /** Findings are accepted or rejected, terms removed or kept: one decision of each kind, however many rows. */
  async #decide(chosen, accept) {
    const spans = (kind) => chosen.filter((row) => row.kind === kind).flatMap((row) => row.spans);
    const [findings, terms] = [spans("finding"), spans("term")];
    const done = `${plural(chosen.length, "entry", "entries")} ${accept ? (chosen.length > 1 ? "go" : "goes") : chosen.length > 1 ? "stay" : "stays"}.`;
    if (findings.length) await this.review.decide({ kind: "finding", spans: findings, accept }, done);
    if (terms.length)
      await this.review.decide({ kind: "term", spans: terms, scope: "here", action: accept ? "remove" : "keep" }, done);
  }

  #focus(number) {
    const items = [...this.rows.children];
    this.current = Math.max(0, Math.min(items.length - 1, number));
    items.forEach((item, at) => {
      item.querySelector(".open").tabIndex = at === this.current ? 0 : -1;
    });
    items[this.current]?.querySelector(".open").focus();
  }

  #pressed(event) {
    const item = event.target.closest("li");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const number = Number(item.dataset.number);
    const keys = {
      ArrowDown: () => this.#focus(number + 1),
      ArrowUp: () => this.#focus(number - 1),
      Home: () => this.#focus(0),
      End: () => this.#focus(Infinity),
      " ": () => item.querySelector("input").click(),
      a: () => this.#decide([item.row], true),
      r: () => this.#decide([item.row], false),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && event.target.matches("input, .quiet"))) return;
    event.preventDefault();
    act();
  }
}
