// The form of one secret: a class of a model, a topic, a person, or words.

import { api, Fault } from "./api.js";
import { el, field, refill } from "./dom.js";
import { tellError } from "./messages.js";

const KINDS = {
  class: { title: "A class of a model", name: "the class", model: "concepts" },
  topic: { title: "A topic or name", name: "the topic", model: "association" },
  person: { title: "A person", name: "the person", model: "identity" },
  words: { title: "Words that must not be inferred", name: "the words", model: "information" },
};
/** The share of what readers can look up that may tell, and what it is a share of. */
const AT_MOST = {
  topic: ["10", "Of the documents that have some of its words, so many per cent may name it."],
  words: ["0", "Of the searches with its words, so many per cent may lead to it."],
};
const OF_MODEL = { concepts: "class", association: "topic", identity: "person", information: "words" };
const lines = (text) =>
  text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Choose an option if it is there, and the first if not: what was chosen once may be gone. */
function choose(select, value) {
  select.value = value || "";
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}

function missing(message, advice) {
  return new Fault(0, { error: { kind: "form", message, advice } });
}

export class SecretForm {
  /** Of a new secret the kind is given, of one that there is the secret. `changed` hears when another model is chosen. */
  constructor(choices, kind, secret, changed) {
    this.choices = choices;
    this.kind = kind || OF_MODEL[secret.model] || (secret.person ? "person" : "class");
    this.secret = secret || {};
    this.changed = changed;
    this.title = KINDS[this.kind].title;
    this.name = el("input", {
      type: "text",
      required: true,
      maxlength: "200",
      value: this.secret.name || KINDS[this.kind].name,
      autocomplete: "off",
    });
    this.k = el("input", { type: "number", min: "1", max: "1000", value: this.secret.k || 5 });
    this.ceiling = el("input", {
      type: "number",
      min: "0",
      max: "100",
      step: "any",
      value: typeof this.secret.ceiling === "number" ? String(Number((100 * this.secret.ceiling).toFixed(6))) : "",
      placeholder: AT_MOST[this.kind]?.[0],
    });
    this.node = el(
      "div",
      {},
      this.kind === "class" ? this.#class() : this.#named(),
      el(
        "div.columns",
        {},
        field("What reports call it", this.name, "Not the secret itself."),
        this.kind in AT_MOST
          ? field("At most, in per cent", this.ceiling, AT_MOST[this.kind][1])
          : field("Hide it among", this.k, "So many, itself included, must look as likely."),
      ),
    );
  }

  #named() {
    const { value, person, aliases = [], related = [] } = this.secret;
    this.value = el("input", { type: "text", required: true, value: person || value || "", autocomplete: "off" });
    this.aliases = el("textarea", { rows: "2", value: (this.kind === "words" ? related : aliases).join("\n") });
    const label = { topic: "The topic or name", person: "The person's name", words: "The word or phrase" }[this.kind];
    return el(
      "div.columns",
      {},
      field(label, this.value),
      field(
        this.kind === "words" ? "More such words, one a line" : "Other ways of writing it, one a line",
        this.aliases,
      ),
    );
  }

  #class() {
    const { models } = this.choices;
    if (!models.length)
      return el(
        "p.note.warn",
        {},
        "There is no model yet. ",
        el("a", { href: "#/models" }, "Fit one under Models"),
        " from documents whose classes you know.",
      );
    this.fitted = el(
      "select",
      { required: true, onchange: () => this.#classes() },
      models.map((made) => el("option", { value: made.id }, made.name)),
    );
    choose(this.fitted, this.secret.fitted);
    this.attribute = el("select", { onchange: () => this.#values() });
    this.value = el("select");
    this.concepts = [];
    this.#classes();
    return el(
      "div.columns",
      {},
      field("Model", this.fitted),
      field("Of its classes, hide", this.attribute),
      field("The true one", this.value),
    );
  }

  async #classes() {
    const { details } = this.choices;
    const id = this.fitted.value;
    if (!details.has(id)) details.set(id, api.get(`models/${id}`));
    const detail = await details.get(id).catch((error) => (tellError(error), { concepts: [] }));
    this.concepts = detail.concepts;
    refill(
      this.attribute,
      this.concepts.map(({ attribute }) => el("option", { value: attribute }, attribute)),
    );
    choose(this.attribute, this.secret.attribute);
    this.#values();
  }

  #values() {
    const concept = this.concepts.find(({ attribute }) => attribute === this.attribute.value);
    refill(
      this.value,
      el("option", { value: "" }, "the one the model takes it for"),
      (concept?.classes || []).map(({ name }) => el("option", { value: name }, name)),
    );
    choose(this.value, this.secret.value);
    if (this.name.value === KINDS.class.name && concept) this.name.value = `the ${concept.attribute}`;
    this.changed();
  }

  /** Other attributes of the chosen model, which may be kept recognisable. */
  get others() {
    return this.kind === "class"
      ? (this.concepts || []).map(({ attribute }) => attribute).filter((name) => name !== this.attribute.value)
      : [];
  }

  read() {
    const { model } = KINDS[this.kind];
    const secret = { ...this.secret, name: this.name.value.trim() || KINDS[this.kind].name, model };
    if (this.kind in AT_MOST) secret.ceiling = this.ceiling.value === "" ? null : Number(this.ceiling.value) / 100;
    else secret.k = Number(this.k.value) || 5;
    if (this.kind === "class") {
      if (!this.fitted)
        throw missing("A secret that is a class needs a model.", "Fit one under Models, or take the secret out.");
      return {
        ...secret,
        fitted: this.fitted.value,
        attribute: this.attribute.value || null,
        value: this.value.value || null,
      };
    }
    const given = this.value.value.trim();
    if (!given) throw missing(`${this.title}: it is not said which.`, "Write it, or take the secret out.");
    if (this.kind === "person") return { ...secret, person: given, aliases: lines(this.aliases.value) };
    if (this.kind === "words") return { ...secret, value: given, related: lines(this.aliases.value) };
    return { ...secret, value: given, aliases: lines(this.aliases.value) };
  }
}
