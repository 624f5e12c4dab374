// The card beside a mark: how much it tells, and why. It comes with the pointer or the focus, and Escape sends it away.

import { el, moved, refill } from "./dom.js";
import { level, LEVELS } from "./marks.js";
import { percent, sentence } from "./text.js";

const DELAY = 130;

/** What a term tells of each secret: alone, and beside which other term most. */
export function telling(review, term) {
  return term.told.map((told) => {
    const now = review.state.standing.terms.find((each) => each.secret === told.secret);
    const stands = now && term.id in now.highest;
    const partner = review.terms.get(stands ? now.partners[term.id] : told.partners[0]);
    return {
      secret: told.secret,
      towards: told.towards,
      reason: told.reason,
      known: told.known,
      stands,
      alone: stands ? (now.alone[term.id] ?? told.alone) : told.alone,
      highest: stands ? now.highest[term.id] : told.highest,
      partner,
    };
  });
}

function aboutTerm(review, term, before) {
  return telling(review, term).map((told) => [
    el("p.soft", {}, `${before ? "Before, about" : "About"} ${told.secret}`),
    told.known
      ? el(
          "dl",
          {},
          el("dt", {}, "Alone"),
          el("dd.number", {}, percent(told.alone)),
          told.partner && told.highest > told.alone
            ? [el("dt", {}, `With “${told.partner.text}”`), el("dd.number", {}, percent(told.highest))]
            : null,
          told.towards ? [el("dt", {}, "Speaks for"), el("dd", {}, told.towards)] : null,
        )
      : el("p", {}, "Not known: too little is known of it to say."),
    told.reason ? el("p", {}, sentence(told.reason)) : null,
  ]);
}

function heading(text, chip) {
  return el("h3", {}, el("span", {}, text), chip ? el("span.chip", {}, chip) : null);
}

/** The words of the card of a mark. */
function words(review, mark) {
  const source = review.text.slice(mark.span.start, mark.span.end);
  const term = mark.term || review.termAt(mark.span.start);
  if (mark.kind === "edit") {
    return [
      heading(mark.text || "Removed", mark.edit.operator),
      source ? el("p", {}, `In place of “${source}”.`) : null,
      mark.edit.reason ? el("p", {}, sentence(mark.edit.reason)) : null,
      el(
        "p.soft",
        {},
        { finding: "Found in the document", strength: "Asked for by the slider", decision: "Your decision" }[
          mark.origin
        ] || "",
      ),
      term && source ? aboutTerm(review, term, true) : null,
    ];
  }
  if (mark.kind === "finding") {
    const { label, score, reason, doubtful, detector } = mark.finding;
    return [
      heading(source, mark.kept ? "kept" : label),
      review.labels[label] ? el("p.soft", {}, `${label}: ${review.labels[label]}.`) : null,
      el(
        "p",
        {},
        mark.kept
          ? "It stays, by your decision."
          : doubtful
            ? `Not sure (${percent(score)}): nothing is done about it until you decide.`
            : `${percent(score)} sure, by ${detector}.`,
      ),
      reason ? el("p", {}, sentence(reason)) : null,
      term ? aboutTerm(review, term) : null,
    ];
  }
  return [heading(term.text, mark.kept ? "kept" : LEVELS[level(mark.risk)]), aboutTerm(review, term)];
}

export class Tip {
  #timer = 0;

  constructor(review, sheet) {
    this.review = review;
    this.sheet = sheet;
    this.node = el("div.tip", { id: "tip", role: "tooltip", hidden: true });
    const { node: page } = sheet;
    page.addEventListener("mouseover", (event) => moved(event) && this.#soon(event.target.closest(".mark")));
    page.addEventListener("mouseout", (event) => !this.node.contains(event.relatedTarget) && this.#soon(null));
    page.addEventListener(
      "focusin",
      (event) => event.target.matches(":focus-visible") && this.show(event.target.closest(".mark")),
    );
    page.addEventListener("focusout", () => this.hide());
    this.node.addEventListener("mouseleave", () => this.#soon(null));
    this.node.addEventListener("mouseover", () => clearTimeout(this.#timer));
  }

  #soon(mark) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (mark ? this.show(mark) : this.hide()), DELAY);
  }

  show(node) {
    if (!node || !node.isConnected) return this.hide();
    refill(
      this.node,
      words(this.review, node.mark),
      el("p.soft", {}, "Enter or click for every place, evidence and what to do."),
    );
    this.node.hidden = false;
    this.#beside(node);
    node.setAttribute("aria-describedby", "tip");
    const term = node.mark.term || this.review.termAt(node.mark.span.start);
    const partners = new Set(term ? telling(this.review, term).map((told) => told.partner?.id) : []);
    for (const each of this.sheet.node.querySelectorAll(".mark[data-term]"))
      each.classList.toggle("partner", Boolean(each.dataset.term) && partners.has(each.dataset.term));
    return undefined;
  }

  #beside(node) {
    const at = node.getClientRects()[0] || node.getBoundingClientRect();
    const frame = this.node.offsetParent.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const left = Math.max(8, Math.min(at.left, innerWidth - width - 16)) - frame.left;
    const below = at.bottom + height + 12 < innerHeight || at.top < height + 130;
    this.node.style.left = `${left}px`;
    this.node.style.top = `${(below ? at.bottom + 6 : at.top - height - 6) - frame.top}px`;
  }

  hide() {
    clearTimeout(this.#timer);
    if (this.node.hidden) return;
    this.node.hidden = true;
    for (const each of this.sheet.node.querySelectorAll(".partner, [aria-describedby]")) {
      each.classList.remove("partner");
      each.removeAttribute("aria-describedby");
    }
  }
}
