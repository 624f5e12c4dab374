// Elements, built from code. Text only ever arrives as text nodes and attributes: nothing here parses markup, so nothing
// in a document, a name or a suggestion can become an element.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "open" || name === "hidden") {
      node[name] = value;
    } else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element with attributes, `on…` listeners and children; strings among the children become text. */
export function el(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, attributes, children);
}

/** The same for a drawing. */
export function svg(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return fill(node, attributes, children);
}

/** Put children in place of what a node holds. */
export function refill(node, ...children) {
  node.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

/** A labelled field: the label stands above what it labels, a hint below. */
export function field(label, input, hint) {
  const id = input.id || (input.id = fresh("field"));
  const notes = hint ? el("p.hint", { id: `${id}-hint` }, hint) : null;
  if (notes) input.setAttribute("aria-describedby", notes.id);
  return el("div.field", {}, el("label", { for: id }, label), input, notes);
}

let count = 0;

/** An id that no other element has. */
export function fresh(name) {
  count += 1;
  return `${name}-${count}`;
}

const called = (node) => node.getAttribute("aria-label") || node.textContent || node.id;

/** Draw a node anew without losing the focus: it goes to what is called the same, or else to the node's first heading. */
export function redrawn(node, draw) {
  const focused =
    node.contains(document.activeElement) && document.activeElement !== node ? document.activeElement : null;
  draw();
  if (!focused || focused.isConnected) return;
  const same = [...node.querySelectorAll(focused.tagName)].find(
    (each) => called(each) === called(focused) && !each.disabled,
  );
  const next = same || node.querySelector("h2, h3, p");
  if (!next) return;
  if (!same) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

/** Call at most once per `wait` milliseconds of rest, with the newest arguments. */
export function rested(wait, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), wait);
  };
}

const place = ({ screenX, screenY }) => `${screenX}, ${screenY}`;
let pointer = "";
window.addEventListener("mousemove", (event) => (pointer = place(event)), { capture: true, passive: true });

/** Whether somebody moved the pointer onto something; or whether that came under the pointer while it rested. */
export function moved(event) {
  return place(event) !== pointer;
}
