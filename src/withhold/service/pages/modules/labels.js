// Which personal data to look for: everything, what points at someone, or single labels.

import { el, refill } from "./dom.js";

export class Labels {
  /** `labels` are those of the server; `detection` is what a policy asks for so far. */
  constructor(labels, detection) {
    this.labels = labels;
    const asked = detection?.labels || [];
    this.chosen = new Set(asked.includes("all") ? labels.map((label) => label.name) : asked);
    this.choice = el(
      "select",
      { "aria-label": "Which", onchange: () => this.#preset() },
      [
        ["all", "everything that is known"],
        ["direct", "only what points at someone directly"],
        ["own", "what I choose below"],
        ["none", "none"],
      ].map(([value, text]) => el("option", { value }, text)),
    );
    this.boxes = el("div.labels", { role: "group", "aria-label": "Labels" });
    this.node = el(
      "div",
      {},
      this.choice,
      el("details", {}, el("summary", {}, `All ${labels.length} labels`), this.boxes),
    );
    this.#draw();
  }

  #preset() {
    const { value } = this.choice;
    const wanted = { all: () => true, direct: (label) => label.identifier === "direct", none: () => false }[value];
    if (wanted) this.chosen = new Set(this.labels.filter(wanted).map((label) => label.name));
    else this.node.querySelector("details").open = true;
    this.#draw();
  }

  #draw() {
    refill(
      this.boxes,
      this.labels.map(({ name, doc }) =>
        el(
          "label.check",
          {},
          el("input", {
            type: "checkbox",
            checked: this.chosen.has(name),
            onchange: (event) => this.#toggle(name, event.target.checked),
          }),
          el("span", {}, name.toLowerCase().replaceAll("_", " "), el("span.soft", {}, `: ${doc}`)),
        ),
      ),
    );
    this.#named();
  }

  #toggle(name, on) {
    if (on) this.chosen.add(name);
    else this.chosen.delete(name);
    this.#named();
  }

  #named() {
    const direct = this.labels.filter((label) => label.identifier === "direct");
    const same = (wanted) => wanted.length === this.chosen.size && wanted.every((label) => this.chosen.has(label.name));
    this.choice.value = same(this.labels) ? "all" : same(direct) ? "direct" : this.chosen.size ? "own" : "none";
  }

  read() {
    return this.choice.value === "all" ? ["all"] : [...this.chosen];
  }
}
