// One term, looked at closely: what it tells and how that is known, what could stand instead, every place of it; and what
// becomes of it, which a person decides.

import { api } from "./api.js";
import { button, el, field, fresh, redrawn, refill } from "./dom.js";
import { rules } from "./evidence.js";
import { offers } from "./offers.js";
import { telling } from "./tip.js";
import { percent, plural, sentence } from "./text.js";

const ACTIONS = [
  ["remove", "Remove", "A mark stands in its place"],
  ["generalise", "Generalise", "Something broader stands in its place"],
  ["pseudonymise", "Pseudonymise", "An invented name stands in its place"],
  ["keep", "Keep", "It stays, whatever the models say"],
];
const DONE = {
  remove: "Removed",
  generalise: "Generalised",
  pseudonymise: "A pseudonym stands there",
  keep: "Kept",
  replace: "Rewritten",
};

export class TermPanel {
  /** `point` outlines places in the document. */
  constructor(review, point) {
    this.review = review;
    this.point = point;
    this.node = el("div");
    this.subject = null;
    this.clear();
  }

  clear() {
    this.subject = null;
    refill(
      this.node,
      el(
        "p.empty",
        {},
        "Choose a marked term in the document, or select any words there: what they tell, why, and what to do about them is then shown here.",
      ),
    );
  }

  /** Show a subject; asks for what is known of it. */
  async show(subject) {
    this.subject = subject;
    this.scope = subject.spans.length > 1 ? "everywhere" : "here";
    this.evidence = el("section", {}, el("h2", {}, "Evidence"), el("p.small", { role: "status" }, "Looking it up…"));
    this.offers = el(
      "section",
      {},
      el("h2", {}, "What could stand instead"),
      el("p.small", { role: "status" }, "Looking for words that say less…"),
    );
    this.where = el("section");
    this.#draw();
    await Promise.all([this.#lookUp(subject), this.#offer(subject)]);
  }

  /** Show anew how the subject stands, without asking again what is known of it. */
  draw() {
    if (this.subject) redrawn(this.node, () => this.#draw());
  }

  #draw() {
    const { subject } = this;
    const shown = subject.text.length > 200 ? `${subject.text.slice(0, 200)}…` : subject.text;
    refill(
      this.node,
      el("section", {}, el("h2.term", { tabindex: "-1" }, `“${shown}”`), this.#standing(), this.#told()),
      this.#actions(),
      this.offers,
      this.#writing(),
      this.evidence,
      this.where,
    );
    this.#drawPlaces();
  }

  /** What holds about it now. */
  #standing() {
    const { subject, review } = this;
    const change = review.state.changes.find(
      ({ edit }) => edit.span.start < subject.here.end && edit.span.end > subject.here.start,
    );
    const line = subject.term ? review.decided(subject.term) : review.decided({ spans: subject.spans });
    if (change) {
      const piece = review.state.pieces.find((each) => each.change === review.state.changes.indexOf(change));
      return el(
        "p.note",
        {},
        piece?.text ? `Will read “${piece.text}”.` : "Will be gone.",
        line ? ` Decided by ${line.who}.` : change.edit.reason ? ` ${sentence(change.edit.reason)}` : "",
      );
    }
    if (line?.decision.action === "keep") return el("p.note.good", {}, `Kept by ${line.who}.`);
    return el("p.small.soft", {}, "It stays as it is until you decide.");
  }

  #told() {
    const { subject, review } = this;
    if (subject.sentence)
      return el(
        "p",
        {},
        `${subject.sentence.reason || "It stands word for word in documents that readers have"}. Even if every word of it is harmless, whoever searches for the sentence finds them.`,
      );
    const found = subject.finding;
    return [
      found
        ? el(
            "p",
            {},
            el("span.chip", { title: review.labels[found.label] }, found.label),
            ` ${found.doubtful ? `Perhaps: only ${percent(found.score)} sure` : `${percent(found.score)} sure`}, by ${found.detector}.${found.reason ? ` ${sentence(found.reason)}` : ""}`,
          )
        : null,
      subject.term
        ? telling(review, subject.term).map((told) =>
            el(
              "p",
              {},
              el("strong", {}, `${told.secret}: `),
              told.known ? `${percent(told.alone)} alone` : "not known",
              told.partner && told.highest > told.alone ? `, ${percent(told.highest)} with “${told.partner.text}”` : "",
              told.towards ? `; speaks for ${told.towards}` : "",
              ". ",
              told.stands ? "" : "(As it was before it was changed.) ",
              told.reason ? sentence(told.reason) : "",
            ),
          )
        : el(
            "p.small.soft",
            {},
            "The models have no opinion on these words. That does not make them harmless: you may know better.",
          ),
    ];
  }

  #actions() {
    const { subject } = this;
    const group = fresh("scope");
    const scope = (value, label) =>
      el(
        "label.check",
        {},
        el("input", {
          type: "radio",
          name: group,
          checked: this.scope === value,
          onchange: () => {
            this.scope = value;
          },
        }),
        label,
      );
    return el(
      "section",
      {},
      el("h2", {}, "Decide"),
      el(
        "div.buttons",
        { role: "group", "aria-label": "What becomes of it" },
        ACTIONS.map(([action, label, title]) =>
          button(label, () => this.decide(action), { title, class: action === "remove" ? "main small" : "small" }),
        ),
      ),
      subject.spans.length > 1
        ? el(
            "div.buttons.small",
            { role: "radiogroup", "aria-label": "Where" },
            scope("everywhere", `Everywhere (${plural(subject.spans.length, "place")})`),
            scope("here", "Here only"),
          )
        : null,
    );
  }

  /** Words of one's own, and a note that goes with whatever is decided. */
  #writing() {
    const { subject } = this;
    this.note = el("input", { type: "text", maxlength: "2000", autocomplete: "off" });
    const long = subject.kind === "sentence";
    this.own = el(long ? "textarea" : "input", {
      type: long ? null : "text",
      value: long ? subject.text : "",
      autocomplete: "off",
    });
    const write = (event) => {
      event.preventDefault();
      if (this.own.value !== subject.text) this.decide("replace", this.own.value);
    };
    return el(
      "section",
      {},
      el("h2", {}, "In your own words"),
      el(
        "form.inline",
        { onsubmit: write },
        field(long ? "Write the sentence anew" : "Write instead", this.own),
        button("Write this", null, { type: "submit" }),
      ),
      field("Note, for the log and the second reviewer", this.note),
    );
  }

  /** Store what a person decides about the subject. */
  decide(action, replacement, span) {
    const { subject } = this;
    const everywhere = this.scope === "everywhere";
    const decision = { kind: "term", action, scope: this.scope, note: this.note?.value || "" };
    if (replacement !== undefined) decision.replacement = replacement;
    if (everywhere && subject.kind === "term" && !span) decision.term = subject.term.id;
    else decision.spans = span ? [span] : everywhere ? subject.spans : [subject.here];
    return this.review.decide(
      decision,
      `${DONE[action]}: ${everywhere ? plural(subject.spans.length, "place") : "one place"}.`,
    );
  }

  async #offer(subject) {
    if (subject.sentence) return refill(this.offers);
    const asked =
      subject.kind === "term"
        ? api.get(`${this.review.path}/terms/${encodeURIComponent(subject.term.id)}/suggestions`)
        : api.post(`${this.review.path}/suggestions`, { span: subject.here });
    const answer = await asked.catch((error) => ({ error }));
    if (this.subject === subject)
      refill(
        this.offers,
        el("h2", {}, "What could stand instead"),
        offers(answer, subject, (text, span) => this.decide("generalise", text, span)),
      );
    return undefined;
  }

  async #lookUp(subject) {
    if (subject.sentence)
      return refill(
        this.evidence,
        el("h2", {}, "Where it stands"),
        el(
          "ul",
          {},
          subject.sentence.documents.map((name) => el("li", {}, name)),
        ),
      );
    if (!subject.term) return refill(this.evidence);
    const detail = await api
      .get(`${this.review.path}/terms/${encodeURIComponent(subject.term.id)}`)
      .catch((error) => ({ error }));
    if (this.subject !== subject) return undefined;
    subject.occurrences = detail.occurrences;
    this.#drawPlaces();
    return refill(
      this.evidence,
      el("h2", {}, "Evidence"),
      detail.error ? el("p.small", {}, detail.error.message) : rules(this.review, detail),
    );
  }

  #drawPlaces() {
    const { subject, review } = this;
    const found =
      subject.occurrences ||
      subject.spans.map((span) => ({
        span,
        context: { start: Math.max(0, span.start - 40), end: Math.min(review.text.length, span.end + 40) },
      }));
    refill(
      this.where,
      el("h2", {}, plural(found.length, "place")),
      found.slice(0, 40).map(({ span, context }) =>
        button(
          [
            review.text.slice(context.start, span.start),
            el("mark", {}, review.text.slice(span.start, span.end)),
            review.text.slice(span.end, context.end),
          ],
          () => {
            subject.here = span;
            this.point([span]);
          },
          { class: "context" },
        ),
      ),
      found.length > 40 ? el("p.small", {}, `and ${found.length - 40} more`) : null,
    );
  }
}
