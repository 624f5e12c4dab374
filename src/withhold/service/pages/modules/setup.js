// The set-up of a review: what a reader must not infer, what should stay recognisable, which personal data to look for.

import { api } from "./api.js";
import { button, el, field, refill } from "./dom.js";
import { Labels } from "./labels.js";
import { tell, tellError } from "./messages.js";
import { SecretForm } from "./secret.js";

/** What a form can offer: the models, corpora and labels of this server. */
export async function offered() {
  const [about, models, corpora] = await Promise.all([api.get("about"), api.get("models"), api.get("corpora")]);
  return { about, models: models.made, corpora: corpora.made, details: new Map() };
}

const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** A form for a policy. `read` gives the policy as it stands in the form, or throws what is missing. */
export class Setup {
  /** Without a policy, that of a new review: personal data of every kind. */
  constructor(choices, given = null) {
    const policy = given || { detection: { labels: ["all"] } };
    this.choices = choices;
    this.policy = policy;
    this.secrets = [];
    this.list = el("div");
    this.keep = el("div");
    this.kept = new Set(policy.keep?.attributes || []);
    this.corpus = el(
      "select",
      {},
      el("option", { value: "" }, "nothing: only the document itself"),
      choices.corpora.map((made) =>
        el("option", { value: made.id }, `${made.name} (${made.documents.toLocaleString("en-GB")} documents)`),
      ),
    );
    this.corpus.value = policy.corpus || "";
    this.labels = new Labels(choices.about.labels, policy.detection);
    this.find = el("textarea", { rows: "3", value: (policy.find || []).flatMap((find) => find.terms).join("\n") });
    this.mark = el("input", { type: "text", maxlength: "40", value: policy.operators?.mark || "[REDACTED]" });
    this.how = el(
      "select",
      {},
      [
        ["suppress", "the mark"],
        ["mask", "a label and a number, such as [PERSON 1]"],
        ["pseudonymise", "an invented name"],
      ].map(([value, text]) => el("option", { value }, text)),
    );
    this.how.value = policy.operators?.default || "suppress";
    this.linking = el("input", { type: "checkbox", checked: policy.linking !== false });
    this.days = el("input", {
      type: "number",
      min: "0.01",
      step: "any",
      max: String(choices.about.limits.days),
      value: policy.days ?? "",
      placeholder: String(choices.about.limits.days),
    });
    this.own = el("fieldset.plain", {}, this.#hide(), this.#personal(), this.#rest());
    this.node = el("div", {}, this.#base(), this.own);
    for (const secret of policy.secrets || []) this.#add(null, secret);
    if (!policy.secrets) this.#empty();
  }

  /** Policies of the server, which can say more than this form. */
  #base() {
    const { policies } = this.choices.about;
    this.base = el(
      "select",
      { onchange: () => this.#based() },
      el("option", { value: "" }, "what I say below"),
      policies.map((name) => el("option", { value: name }, name)),
    );
    this.base.value = this.policy.base || "";
    this.#based();
    const hint = "Policies of this server say all of it: what to hide, to keep and to look for.";
    return policies.length ? field("By which policy", this.base, hint) : null;
  }

  #based() {
    this.own.hidden = this.own.disabled = Boolean(this.base.value);
  }

  #hide() {
    const kinds = [
      ["class", "A class of a model", "which client, which ward"],
      ["topic", "A topic or name", "with other ways of writing it"],
      ["person", "A person", "who must not be found"],
      ["words", "Words", "that must not be inferred"],
    ];
    return el(
      "fieldset",
      {},
      el("legend", {}, "What a reader must not infer"),
      el(
        "p.hint",
        {},
        "Taking a name out is not enough if the rest still tells. Say what must not be told; several things, or none.",
      ),
      this.list,
      el(
        "div.buttons",
        {},
        kinds.map(([kind, label, hint]) =>
          button([el("span", {}, `+ ${label}`)], () => this.#add(kind), { title: hint, class: "small" }),
        ),
      ),
      this.keep,
      field(
        "What readers can look up",
        this.corpus,
        "A topic, a person or words need a corpus: documents that your readers may have. Build one under Corpora.",
      ),
    );
  }

  #personal() {
    return el("fieldset", {}, el("legend", {}, "Personal data to look for"), this.labels.node);
  }

  #rest() {
    return el(
      "details",
      { open: Boolean(this.policy.find?.length) || this.policy.linking === false },
      el("summary", {}, "More: words that always go, what stands instead, linked terms, when all is deleted"),
      field("Words that always go, one a line", this.find),
      el("div.columns", {}, field("What stands in place of what goes", this.how), field("The mark", this.mark)),
      el(
        "label.check",
        {},
        this.linking,
        "Take terms that stand together for one, such as “white house”, where that tells more of a topic",
      ),
      field(
        "Deleted after so many days without a change",
        this.days,
        `The document with all that was decided. At most ${this.choices.about.limits.days}, as this server has it.`,
      ),
    );
  }

  #empty() {
    refill(this.list, el("p.small.soft", {}, "Nothing yet: only personal data is looked for."));
  }

  #add(kind, secret) {
    if (!this.secrets.length) refill(this.list);
    const form = new SecretForm(this.choices, kind, secret, () => this.#attributes());
    const away = button(
      "Remove",
      () => {
        this.secrets = this.secrets.filter((each) => each !== form);
        card.remove();
        this.#attributes();
        if (!this.secrets.length) this.#empty();
      },
      { class: "away small quiet", "aria-label": `Remove: ${form.title}` },
    );
    const card = el("fieldset.secret", {}, el("legend", {}, form.title), away, form.node);
    this.secrets.push(form);
    this.list.append(card);
    if (kind) card.querySelector("input, select")?.focus();
    this.#attributes();
  }

  /** What the chosen models tell besides the secret can be kept recognisable. */
  #attributes() {
    const names = [...new Set(this.secrets.flatMap((form) => form.others))];
    const box = (name) =>
      el(
        "label.check",
        {},
        el("input", {
          type: "checkbox",
          checked: this.kept.has(name),
          onchange: (event) => (event.target.checked ? this.kept.add(name) : this.kept.delete(name)),
        }),
        name,
      );
    refill(
      this.keep,
      names.length
        ? el(
            "div.field",
            { role: "group", "aria-label": "What should stay recognisable" },
            el("p.strong.small", {}, "What should stay recognisable"),
            names.map(box),
          )
        : null,
    );
  }

  /** The policy as the form has it. */
  read() {
    const base = this.base.value || null;
    if (base) return base === this.policy.base ? this.policy : { base };
    const find = lines(this.find.value);
    const known = new Set(this.secrets.flatMap((form) => form.others));
    const { labels: byLabel = {} } = this.policy.operators || {};
    return {
      ...this.policy,
      base,
      find: find.length ? [{ label: "TERM", terms: find }] : this.policy.find ? [] : null,
      detection: { ...(this.policy.detection || {}), labels: this.labels.read() },
      secrets: this.secrets.map((form) => form.read()),
      keep: { ...(this.policy.keep || {}), attributes: [...this.kept].filter((name) => known.has(name)) },
      corpus: this.corpus.value || null,
      operators: { default: this.how.value, labels: byLabel, mark: this.mark.value || "[REDACTED]" },
      linking: this.linking.checked ? null : false,
      days: Number(this.days.value) || null,
    };
  }
}

/** A dialog that changes a policy. `store` is given the new one, and says whether it is stored. */
export async function changeSetup(policy, store) {
  const setup = await offered()
    .then((choices) => new Setup(choices, policy))
    .catch(tellError);
  if (!setup) return;
  const close = () => (dialog.close(), dialog.remove());
  const submit = async (event) => {
    event.preventDefault();
    try {
      const stored = await store(setup.read());
      if (stored) tell("The set-up is changed; everything was looked at anew.", { kind: "good" });
      if (stored) close();
    } catch (error) {
      tellError(error);
    }
  };
  const dialog = el(
    "dialog.wide",
    { "aria-labelledby": "setup", onclose: () => dialog.remove() },
    el(
      "form",
      { onsubmit: submit },
      el("h2", { id: "setup" }, "Set-up of this review"),
      setup.node,
      el("div.buttons", {}, button("Change it", null, { type: "submit", class: "main" }), button("Cancel", close)),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
