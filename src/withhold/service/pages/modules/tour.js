// A short tour on the first visit to the workbench, and whenever it is asked for.

import { button, el, refill } from "./dom.js";
import { remember, remembered } from "./theme.js";

const STOPS = {
  review: [
    [
      null,
      "An assistant, not an authority",
      "withhold shows what a reader can infer, and why. It can be wrong both ways: harmless words marked, telling ones missed. What was found for sure goes unless you keep it; all else waits for your decision.",
    ],
    [
      ".sheet",
      "The document",
      "Tint and underline grow with what a term tells; dotted is slight, thick gives it away. Black is what will be taken out. Point at a term for its reasons, click it to decide. Select any words to decide about those.",
    ],
    ["#guide", "The guide", "It goes to what matters most next, one thing at a time, with a reason."],
    [
      "#tell",
      "How much to hide",
      "The bar shows the risk against what you asked for. The slider goes from only what names the secret to hiding it among many; the document follows at once.",
    ],
    [
      "#score",
      "The score",
      "It rises as the document tells less and falls when harmless words go. It cannot know what you know.",
    ],
    [
      '[data-tab="list"]',
      "The list",
      "Everything there is to decide about, with filters. Arrow keys move, A accepts (it goes), R rejects (it stays).",
    ],
    [
      "#to-release",
      "Before it leaves",
      "Attack it, have someone else approve it, then ask the gate. Only then there is a file to download, with its audit.",
    ],
  ],
  reviews: [
    [null, "Welcome", "withhold makes documents safe to release, on this machine alone: nothing is sent anywhere."],
    ['a[href="#/open"]', "Open a file", "Drop a file, say what a reader must not infer, and see what it tells."],
    [
      'nav a[href="#/models"]',
      "Models and corpora",
      "What readers know: models of classes such as clients, and documents they can look up.",
    ],
  ],
};

let card = null;

function end() {
  document.querySelector(".toured")?.classList.remove("toured");
  card?.node.remove();
  card?.before?.focus?.();
  card = null;
}

function beside(node, target) {
  const { innerWidth: wide, innerHeight: high } = window;
  const at = target?.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = node;
  const left = at ? Math.min(Math.max(12, at.left), wide - width - 12) : (wide - width) / 2;
  const under = at && at.bottom + height + 16 < high;
  const top = !at
    ? (high - height) / 3
    : under
      ? at.bottom + 12
      : Math.max(12, Math.min(at.top - height - 12, high - height - 12));
  node.style.left = `${left}px`;
  node.style.top = `${top > 0 ? top : 12}px`;
}

function step(stops, number) {
  const [where, title, text] = stops[number];
  document.querySelector(".toured")?.classList.remove("toured");
  const target = where && document.querySelector(where);
  target?.scrollIntoView({ block: "nearest" });
  target?.classList.add("toured");
  const next = button(
    number === stops.length - 1 ? "Done" : "Next",
    () => (number === stops.length - 1 ? end() : step(stops, number + 1)),
    { class: "main small" },
  );
  refill(
    card.node,
    el("h2", { id: "tour-title" }, title),
    el("p", { id: "tour-text" }, text),
    el(
      "div.buttons",
      {},
      next,
      number ? button("Back", () => step(stops, number - 1), { class: "small" }) : null,
      button("Skip the tour", end, { class: "small quiet" }),
      el("span.small.soft", {}, `${number + 1} of ${stops.length}`),
    ),
  );
  beside(card.node, target);
  next.focus();
}

/** Start the tour of a view. */
export function startTour(view) {
  end();
  const stops = STOPS[view] || STOPS.reviews;
  card = {
    before: document.activeElement,
    node: el("div.tourcard", {
      role: "dialog",
      "aria-labelledby": "tour-title",
      "aria-describedby": "tour-text",
      onkeydown: (event) => event.key === "Escape" && end(),
    }),
  };
  document.body.append(card.node);
  remember(`tour-${view}`, "seen");
  step(stops, 0);
}

export function tourOnFirstVisit(view) {
  end();
  if (view in STOPS && remembered(`tour-${view}`) !== "seen") startTour(view);
}
