// The page starts here: sign in, then show the view that the fragment of the address names.

import { api, signIn } from "./api.js";
import { el, refill } from "./dom.js";
import { hush, tellError } from "./messages.js";
import { themed } from "./theme.js";
import { startTour, tourOnFirstVisit } from "./tour.js";

const VIEWS = {
  reviews: () => import("./reviews.js"),
  open: () => import("./open.js"),
  models: () => import("./models.js"),
  corpora: () => import("./corpora.js"),
  review: () => import("./bench.js"),
};

let leave = () => true;
let shown = null;

/** The view and its argument that an address names: `#/reviews/ab12` is the review ab12. */
function route() {
  const [, name = "reviews", id] = location.hash.split("/");
  if (name === "reviews" && id) return ["review", id];
  return [name in VIEWS ? name : "reviews", id];
}

async function show() {
  if (!location.hash.startsWith("#/") && location.hash !== "") return;
  if (location.hash === shown) return;
  if (leave() === false) {
    history.replaceState(null, "", shown || "#/reviews");
    return;
  }
  shown = location.hash;
  leave = () => true;
  hush();
  const [name, id] = route();
  mark(name);
  const main = document.getElementById("main");
  refill(main, el("p.empty", { role: "status" }, "Loading…"));
  try {
    const view = await VIEWS[name]();
    leave = (await view.show(main, id)) || (() => true);
    if (document.activeElement === document.body) main.focus({ preventScroll: true });
    tourOnFirstVisit(name);
  } catch (error) {
    refill(main, el("p.empty", {}, "This could not be shown. ", el("a", { href: "#/reviews" }, "Back to the reviews")));
    tellError(error);
  }
}

function mark(name) {
  const section = name === "review" ? "reviews" : name;
  for (const link of document.querySelectorAll(".masthead nav a")) {
    if (link.hash === `#/${section}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Sign out, after a question: some tokens sign in only once. */
async function signOut() {
  const { confirmed } = await import("./ask.js");
  const text = "Everything is stored. To come back you need your token; the one in the address that the server printed signs in only once.";
  if (!(await confirmed("Sign out?", text, "Sign out"))) return;
  await api.delete("session");
  location.reload();
}

async function start() {
  themed(document.getElementById("theme"));
  document.getElementById("tour").addEventListener("click", () => startTour(route()[0]));
  document.getElementById("out").addEventListener("click", () => signOut().catch(tellError));
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  // A file that is dropped beside the place for it would be opened by the browser, in place of this page.
  for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());
  const user = await signIn();
  document.getElementById("who").textContent = user;
  window.addEventListener("hashchange", show);
  await show();
}

start().catch(tellError);
