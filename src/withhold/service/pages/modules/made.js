// What models and corpora have in common: a list, a form that uploads files, and progress until it is made.

import { api, upload } from "./api.js";
import { button, el, field, refill } from "./dom.js";
import { watch } from "./job.js";
import { tell, tellError } from "./messages.js";
import { dropzone } from "./open.js";
import { confirmed } from "./ask.js";
import { plural, when } from "./text.js";

/** The list of what there is, each with its page. `kind` is models or corpora. */
export function listed(kind, made, again) {
  if (!made.length) return el("div.card.empty", {}, `No ${kind} yet.`);
  const remove = async (each) => {
    if (!(await confirmed(`Delete “${each.name}”?`, "Reviews that use it can no longer be assessed.", "Delete")))
      return;
    await api.delete(`${kind}/${each.id}`).then(() => tell("Deleted.", { kind: "good" }), tellError);
    again();
  };
  return el(
    "div.card",
    {},
    el(
      "table.wide",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["Name", "Documents", "Made", "Owner", ""].map((title) =>
            el("th", { scope: "col" }, title || el("span.unseen", {}, "Actions")),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        made.map((each) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, el("a", { href: `#/${kind}/${each.id}` }, each.name)),
            el("td", { data: { name: "Documents" } }, each.documents.toLocaleString("en-GB")),
            el("td", { data: { name: "Made" } }, when(each.created)),
            el("td", { data: { name: "Owner" } }, each.shared ? "everybody" : each.owner),
            el(
              "td",
              {},
              each.shared
                ? null
                : button("Delete", () => remove(each), { class: "small quiet", "aria-label": `Delete ${each.name}` }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A form that makes one of files. `fields` are more fields; `read` gives what they say, besides name and files. */
export function maker(kind, { title, hint, verb, fields, read, accept }) {
  const name = el("input", { type: "text", required: true, maxlength: "200", autocomplete: "off" });
  const chosen = el("p.small", { role: "status" }, "No files yet.");
  const work = el("div", { "aria-live": "polite" });
  const make = button(verb, null, { type: "submit", class: "main", disabled: true });
  let files = [];
  const take = (given) => {
    files = given;
    make.disabled = !files.length;
    chosen.textContent = `${plural(files.length, "file")}: ${files
      .slice(0, 3)
      .map((file) => file.name)
      .join(", ")}${files.length > 3 ? ", …" : ""}`;
    if (!name.value && files[0]) name.value = files[0].name.replace(/\.[^.]*$/, "");
  };
  const submit = async (event) => {
    event.preventDefault();
    make.disabled = true;
    try {
      const body = { name: name.value.trim(), files: await Promise.all(files.map(upload)), ...read() };
      const result = await watch(await api.post(kind, body), work);
      if (result) location.hash = `#/${kind}/${result.made}`;
    } catch (error) {
      tellError(error);
    } finally {
      make.disabled = false;
    }
  };
  return el(
    "div.card",
    {},
    el("h2", {}, title),
    el("p.small.soft", {}, hint),
    el(
      "form",
      { onsubmit: submit },
      dropzone("Drop files here", take, { multiple: true, accept }),
      chosen,
      field("Name", name),
      fields,
      el("div.buttons", {}, make),
      work,
    ),
  );
}

/** A form with one field whose answer is shown below it. */
export function asker({ label, hint, verb, rows = 2, value = "" }, ask) {
  const input = el("textarea", { rows: String(rows), required: true, maxlength: "20000", value });
  const answer = el("div", { "aria-live": "polite" });
  const submit = async (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    refill(answer, el("p.small", {}, "Asking…"));
    try {
      refill(answer, await ask(input.value));
    } catch (error) {
      refill(answer);
      tellError(error);
    }
  };
  return el("form", { onsubmit: submit }, field(label, input, hint), button(verb, null, { type: "submit" }), answer);
}
