// Open a file: drop or choose it, say what to hide and keep, and start.

import { api, upload } from "./api.js";
import { button, el, refill } from "./dom.js";
import { watch } from "./job.js";
import { say, tell, tellError } from "./messages.js";
import { offered, Setup } from "./setup.js";
import { plural } from "./text.js";

/** A place to drop a file or to choose one; `taken` is given it. */
export function dropzone(label, taken, { multiple = false, accept = "" } = {}) {
  const input = el("input.unseen", {
    type: "file",
    multiple,
    accept: accept || null,
    "aria-label": label,
    tabindex: "-1", // it is not seen; the button stands for it
    onchange: () => taken([...input.files]),
  });
  const zone = el(
    "div.drop",
    {
      ondragover: (event) => (event.preventDefault(), zone.classList.add("over")),
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        const files = [...event.dataTransfer.files];
        if (files.length) taken(multiple ? files : files.slice(0, 1));
      },
    },
    el("p.big", {}, label),
    el(
      "div.buttons.centre",
      {},
      button(multiple ? "Choose files…" : "Choose a file…", () => input.click(), { class: "main" }),
    ),
    input,
  );
  return zone;
}

const size = (file) =>
  file.size < 1024 ? plural(file.size, "byte") : `${Math.round(file.size / 1024).toLocaleString("en-GB")} kB`;

/** The id of a new review. A file that may be a scan is read in the background, and a node shows how far that is. */
async function begun(asked, node) {
  if (!/\.pdf$/i.test(asked.document.name)) {
    refill(node, el("p.small", { role: "status" }, "Reading it…"));
    return (await api.post("reviews", asked).finally(() => refill(node))).id;
  }
  return (await watch(await api.post("reviews/readings", asked), node))?.made;
}

export async function show(main) {
  const choices = await offered();
  const { about } = choices;
  const setup = new Setup(choices);
  const start = button("Start the review", null, { type: "submit", class: "main", disabled: true });
  const chosen = el("p", { role: "status" }, "No file yet.");
  const reading = el("div");
  let file = null;
  const take = ([given]) => {
    if (given.size > about.limits.upload_megabytes * 2 ** 20)
      return tell(`The file is larger than ${about.limits.upload_megabytes} MB.`, {
        kind: "bad",
        advice: "The service does not take larger ones.",
      });
    file = given;
    start.disabled = false;
    refill(chosen, el("bdi.strong", {}, file.name), `, ${size(file)}`);
    return say(`${file.name} is chosen.`);
  };
  const submit = async (event) => {
    event.preventDefault();
    start.disabled = true;
    try {
      const id = await begun({ document: await upload(file), policy: setup.read() }, reading);
      if (id) location.hash = `#/reviews/${id}`;
      else start.disabled = false;
    } catch (error) {
      tellError(error);
      start.disabled = false;
    }
  };
  const kinds = about.formats.flatMap((format) => format.extensions);
  refill(
    main,
    el(
      "div.page",
      {},
      el(
        "header",
        {},
        el("h1", {}, "Open a file"),
        el(
          "p",
          {},
          `It stays on this machine, and is deleted after ${about.limits.days} days without a change, or when you say so.`,
        ),
      ),
      el(
        "form",
        { onsubmit: submit },
        dropzone("Drop a file here", take, { accept: kinds.join(",") }),
        chosen,
        el("p.hint", {}, `Kinds: ${kinds.join(" ")}`),
        setup.node,
        el("div.buttons", {}, start),
        reading,
      ),
    ),
  );
}
