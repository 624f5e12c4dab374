// What the page tells people: short messages in a corner, and words for those who listen.

import { button, el, refill } from "./dom.js";

const SHOWN = 9000;

/** Say something to a screen reader, and to nobody else. */
export function say(text) {
  const said = document.getElementById("said");
  said.textContent = "";
  setTimeout(() => {
    said.textContent = text;
  }, 30);
}

/**
 * Show a message. `kind` is good, warn or bad; bad ones and those that ask something stay until they are closed.
 * `actions` is a list of [label, what to do].
 */
export function tell(text, { kind = "", advice = "", actions = [] } = {}) {
  const close = () => node.remove();
  const node = el(
    `div.message${kind ? `.${kind}` : ""}`,
    { role: kind === "bad" || kind === "warn" ? "alert" : "status" },
    el("div", {}, el("p.strong", {}, text), advice ? el("p.small", {}, advice) : null),
    button("Close", close, { class: "quiet small" }),
    actions.length
      ? el(
          "div.buttons",
          {},
          actions.map(([label, act]) => button(label, () => (close(), act()), { class: "small" })),
        )
      : null,
  );
  const list = document.getElementById("messages");
  const same = (other) => other.firstChild.textContent === node.firstChild.textContent;
  for (const other of [...list.children]) if (same(other) || other.classList.contains("good")) other.remove();
  list.append(node);
  if (kind !== "bad" && !actions.length) setTimeout(close, SHOWN);
  return close;
}

/** Take away what was said of a view that is left: nobody could do anything about it any more. */
export function hush() {
  refill(document.getElementById("messages"));
}

/** Show an error of the service, or any other, in words. */
export function tellError(error) {
  if (error.silent) return;
  if (!error.kind) console.error(error.name);
  tell(error.kind ? error.message : "Something went wrong in this page.", {
    kind: "bad",
    advice: error.kind ? error.advice : "Reload it; what you decided so far is stored.",
  });
}
