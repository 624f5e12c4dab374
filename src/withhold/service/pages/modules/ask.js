// Questions that must be answered before anything goes on.

import { button, el } from "./dom.js";

/**
 * Ask something in a dialogue. `choices` is a list of [label, answer, attributes]; whoever cancels answers null, which is
 * what the keyboard is on at first unless a choice says that it is.
 */
export function ask(title, text, choices) {
  return new Promise((done) => {
    const end = (answer) => (dialog.close(), dialog.remove(), done(answer));
    const safest = choices.every(([, , attributes]) => !attributes?.autofocus);
    const dialog = el(
      "dialog",
      { "aria-labelledby": "asked", "aria-describedby": "about", oncancel: () => end(null) },
      el("h2", { id: "asked" }, title),
      el("p", { id: "about" }, text),
      el(
        "div.buttons",
        {},
        choices.map(([label, answer, attributes]) => button(label, () => end(answer), attributes)),
        button("Cancel", () => end(null), { autofocus: safest }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Ask before something is done for good. */
export const confirmed = (title, text, verb) => ask(title, text, [[verb, true, { class: "danger" }]]);
