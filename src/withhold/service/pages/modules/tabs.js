// Tabs with one panel each, by the usual keys: arrows move between tabs, Tab goes into the panel.

import { button, el, fresh } from "./dom.js";

export class Tabs {
  /** `tabs` is a list of `[name, label, node]`; `shown` hears which one is shown. */
  constructor(label, tabs, shown = () => {}) {
    this.tabs = new Map();
    this.shown = shown;
    this.list = el("div", { role: "tablist", "aria-label": label, onkeydown: (event) => this.#pressed(event) });
    this.panels = [];
    for (const [name, text, node] of tabs) {
      const id = fresh("tab");
      const tab = button(text, () => this.show(name), {
        role: "tab",
        id,
        "aria-controls": `${id}-panel`,
        data: { tab: name },
      });
      const panel = el(
        "div.panel",
        { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, tabindex: "0", hidden: true },
        node,
      );
      this.list.append(tab);
      this.panels.push(panel);
      this.tabs.set(name, { tab, panel });
    }
  }

  show(name, { focus = false } = {}) {
    this.current = name;
    for (const [each, { tab, panel }] of this.tabs) {
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      panel.hidden = each !== name;
    }
    if (focus) this.tabs.get(name).tab.focus();
    this.shown(name);
  }

  panel(name) {
    return this.tabs.get(name).panel;
  }

  #pressed(event) {
    const names = [...this.tabs.keys()];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at =
      { Home: 0, End: names.length - 1 }[event.key] ??
      (step ? (names.indexOf(this.current) + step + names.length) % names.length : -1);
    if (at < 0) return;
    event.preventDefault();
    this.show(names[at], { focus: true });
  }
}
