// Before anything leaves: attack it, let someone else look, then ask the gate. Files are only offered once it let them pass.

import { api } from "./api.js";
import { ask } from "./ask.js";
import { button, el, field, redrawn, refill } from "./dom.js";
import { watch } from "./job.js";
import { tell, tellError } from "./messages.js";
import { outcomes } from "./outcomes.js";
import { plural, when } from "./text.js";

const FILES = {
  file: "The redacted file",
  "audit.html": "Audit, for your own files",
  "audit.json": "The same audit as JSON",
  "release.html": "Audit that may go with the file",
  "release.json": "The audit that may go with it, as JSON",
  ledger: "Ledger of pseudonyms, sealed: keep it",
};

const ALONE = "Nobody else may use this service. “withhold people add” lets someone in, who can then look at it and approve.";

const unsure = (count) => `${plural(count, "place")} that may be names or other personal data`;

/** What a release that was made comes to. */
function verdict({ holds, undecided }) {
  if (!undecided) return holds ? "Everything that was asked for holds." : "A risk was accepted, as the audit says.";
  const left = `${unsure(undecided)} ${undecided === 1 ? "was" : "were"} left undecided and ${undecided === 1 ? "stays" : "stay"} in the file.`;
  return `${left} ${holds ? "Everything else that was asked for holds." : "A risk was accepted besides, as the audit says."}`;
}

export class ReleasePanel {
  /** `look` shows what is undecided. */
  constructor(review, me, look) {
    this.review = review;
    this.me = me;
    this.look = look;
    this.leaving = null;
    this.tried = el("div");
    this.second = el("div");
    this.gate = el("div");
    this.busy = el("div", { "aria-live": "polite" });
    this.attack = button("Attack it now", () => this.#attack(), { class: "main" });
    this.release = button("Release", () => this.#release(), { class: "main" });
    this.node = el(
      "ol.steps",
      {},
      el(
        "li",
        {},
        el("h2", {}, "Attack"),
        el(
          "p.small",
          {},
          "Attackers that the plan never saw try what would be released, and the document as it was, to compare. Where one wins, the gate first takes out more, but never what you keep.",
        ),
        this.attack,
        this.busy,
        this.tried,
      ),
      el("li", {}, el("h2", {}, "A second pair of eyes"), this.second),
      el(
        "li",
        {},
        el("h2", {}, "Release"),
        el(
          "p.small",
          {},
          "The gate writes the file, reads it back by other means, and attacks it. If it does not hold, there is no file.",
        ),
        this.release,
        this.gate,
      ),
    );
    this.shown = null;
  }

  draw() {
    redrawn(this.second, () => this.#draw());
    this.#last();
  }

  #draw() {
    const { review } = this.review;
    if (!this.me.others?.length && !review.approved_by) {
      refill(this.second, el("p.small.soft", {}, ALONE));
      return;
    }
    const others = (this.me.others || []).filter((name) => name !== review.owner);
    const boxes = others.map((name) =>
      el(
        "label.check",
        {},
        el("input", {
          type: "checkbox",
          value: name,
          checked: review.reviewers.includes(name),
          onchange: () => this.#share(boxes),
        }),
        name,
      ),
    );
    refill(
      this.second,
      review.approved_by
        ? el(
            "p.note.good",
            {},
            `Approved by ${review.approved_by}, as it stands now. Any further decision takes that back.`,
          )
        : el("p.small", {}, "Not approved yet. Whoever made the last decision cannot approve it."),
      boxes.length && review.owner === this.me.user
        ? el(
            "div",
            { role: "group", "aria-label": "Who else may see this review and approve it" },
            el("p.small.strong", {}, "Shared with"),
            boxes,
          )
        : null,
      review.approved_by ? null : button("Approve", () => this.review.approve(), { class: "small spaced" }),
    );
  }

  async #share(boxes) {
    const reviewers = boxes
      .map((box) => box.querySelector("input"))
      .filter((box) => box.checked)
      .map((box) => box.value);
    try {
      await api.put(`${this.review.path}/reviewers`, { reviewers });
      this.review.review.reviewers = reviewers;
      tell(reviewers.length ? `Shared with ${reviewers.join(", ")}.` : "Shared with nobody.", { kind: "good" });
    } catch (error) {
      tellError(error);
    }
  }

  async #attack() {
    const result = await this.#job(this.attack, "attack", { version: this.review.review.version }, this.busy);
    if (!result) return;
    const won = result.outcomes.filter((each) => each.wins).length;
    refill(
      this.tried,
      el(
        `p.note.${won ? "bad" : "good"}`,
        { role: "status" },
        won
          ? `${plural(won, "attack")} of ${result.outcomes.length} still ${won === 1 ? "wins" : "win"}.`
          : `None of ${plural(result.outcomes.length, "attack")} wins. Others may exist that were not tried.`,
      ),
      outcomes(result.outcomes),
    );
  }

  async #job(starter, verb, body, node) {
    starter.disabled = true;
    try {
      return await watch(await api.post(`${this.review.path}/${verb}`, body), node);
    } catch (error) {
      tellError(error);
      if (error.status === 409) await this.review.refresh();
      return null;
    } finally {
      starter.disabled = false;
    }
  }

  /** Whether what is undecided may stay: asked once for each version of the review. */
  async #mayStay() {
    const { version } = this.review.review;
    const count = this.review.state.undecided.length;
    if (!count || this.leaving === version) return true;
    const [are, they] = count === 1 ? ["is", "it"] : ["are", "they"];
    const answer = await ask(
      `${unsure(count)} ${are} undecided and would stay`,
      `Withhold was not sure about ${count === 1 ? "it" : "them"}, and nobody has decided. If you release now, ${they} can be read in the file.`,
      [
        [count === 1 ? "Look at it" : "Look at them", "look", { class: "main", autofocus: true }],
        ["Release all the same", "leave", { class: "danger" }],
      ],
    );
    if (answer === "look") this.look();
    if (answer === "leave") this.leaving = version;
    return answer === "leave";
  }

  async #release(accept) {
    if (!(await this.#mayStay())) return;
    const { version } = this.review.review;
    const body = { version, leave_undecided: this.leaving === version };
    if (typeof accept === "string") body.accept = accept;
    const result = await this.#job(this.release, "release", body, this.gate);
    if (result) this.#show(result);
    await this.review.refresh();
  }

  /** Show the last release, if there is one that is not shown yet; and whether it still is of how the review stands. */
  async #last() {
    const { released_version: version } = this.review.review;
    if (version === null) return;
    const shown = `${version}, ${this.review.since(version)}`;
    if (shown === this.shown) return;
    this.shown = shown;
    const released = await api.get(`${this.review.path}/release`).catch(tellError);
    if (released) this.#show(released.result, released);
  }

  #show(result, released) {
    const stale = this.review.since(result.version);
    refill(
      this.gate,
      result.released
        ? el(
            `p.note.${result.undecided ? "warn" : "good"}`,
            { role: "status" },
            `Released${released ? ` by ${released.who}, ${when(released.when)}` : ""}. ${verdict(result)}${stale ? " The review was changed since: this file is of before." : ""}`,
          )
        : el("p.note.bad", { role: "alert" }, "The gate let nothing pass. There is no file. What follows is why: take out more of what tells, or say why you accept it."),
      result.released ? this.#stricter(result) : null,
      result.released ? this.#downloads(result.files) : this.#accepting(),
      result.risks.map((risk) =>
        el(
          "p.small",
          {},
          el(`span.chip.${risk.stays ? "bad" : "good"}`, {}, risk.stays ? "! stays" : "✓ holds"),
          ` ${risk.secret}: ${risk.verdict}.`,
        ),
      ),
      outcomes(result.outcomes),
      el(
        "details",
        {},
        el("summary", {}, "What was checked and what else was taken out"),
        el(
          "ul.small",
          {},
          result.checks.map((check) => el("li", {}, check)),
          Object.entries(result.removed).map(([label, count]) =>
            el("li", {}, `${plural(count, "place")} of ${label} changed`),
          ),
          result.notices.map((notice) => el("li", {}, `${notice.kind}: ${notice.action} (${notice.count})`)),
        ),
      ),
    );
  }

  /** The gate may take out more than was decided, since an attack won without that: then it says so. */
  #stricter(result) {
    const { state } = this.review;
    const more = Object.values(result.removed).reduce((sum, count) => sum + count, 0) - state.changes.length;
    if (this.review.since(result.version) || more <= 0) return null;
    return el(
      "p.note",
      {},
      `The gate changed ${plural(more, "place")} more than you decided, since attacks won without that. Read the file.`,
    );
  }

  #downloads(files) {
    return el(
      "ul",
      { "aria-label": "Downloads" },
      Object.keys(FILES)
        .filter((name) => files.includes(name))
        .map((name) =>
          el(
            "li",
            {},
            el("a", { href: api.address(`${this.review.path}/release/${name}`), download: true }, FILES[name] || name),
          ),
        ),
    );
  }

  /** A person may know better than the gate, and has to say why. */
  #accepting() {
    const reason = el("textarea", { required: true, minlength: "1", maxlength: "2000" });
    const submit = (event) => {
      event.preventDefault();
      if (reason.value.trim()) this.#release(reason.value.trim());
    };
    return el(
      "details",
      {},
      el("summary", {}, "Release it all the same"),
      el(
        "form",
        { onsubmit: submit },
        el(
          "p.small",
          {},
          "A file with text left in it that should be gone is never written. But a risk that you accept can be: the reason stands in the log and the audit.",
        ),
        field("Why this risk is acceptable", reason),
        button("Release with this reason", null, { type: "submit", class: "danger small" }),
      ),
    );
  }
}
