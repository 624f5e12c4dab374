// The service, asked. Every error arrives as a Fault with words for a person; a service that cannot be reached is waited
// for, and what was asked is asked again, so that nothing a person decided is lost.

import { button, el, field, refill } from "./dom.js";
import { sentence } from "./text.js";

const ROOT = "/api/v1/";
const RETRY = [500, 1000, 2000, 4000, 8000];

let csrf = "";
let user = "";

/** What went wrong: `kind`, `message` and `advice` as the service says them, and the whole `answer`. */
export class Fault extends Error {
  constructor(status, answer) {
    const error = (answer && answer.error) || {};
    super(sentence(error.message || `the service answered with ${status}`));
    this.status = status;
    this.kind = error.kind || "unknown";
    this.advice = error.advice || "";
    this.answer = answer;
  }
}

const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The answer to a request, once the service can be reached, and whether it had to be asked again. */
async function reach(path, request) {
  const banner = document.getElementById("offline");
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await fetch(ROOT + path, request);
      banner.hidden = true;
      return [response, tries > 0];
    } catch (error) {
      if (error.name === "AbortError") throw Object.assign(error, { silent: true });
      banner.textContent =
        "No connection to the service. What you decided before is stored; this will be sent as soon as it is back.";
      banner.hidden = false;
      await rest(RETRY[Math.min(tries, RETRY.length - 1)]);
    }
  }
}

async function call(method, path, body, { signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = csrf;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const [response, again] = await reach(path, {
    method,
    headers,
    body: sent,
    signal,
    credentials: "same-origin",
    cache: "no-store",
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.status === 401 && path !== "session") {
    await askForToken();
    return call(method, path, body, { signal });
  }
  if (!response.ok) throw Object.assign(new Fault(response.status, answer), { again });
  return answer;
}

export const api = {
  get: (path, options) => call("GET", path, undefined, options),
  post: (path, body = {}, options) => call("POST", path, body, options),
  put: (path, body = {}) => call("PUT", path, body),
  delete: (path) => call("DELETE", path),
  address: (path) => ROOT + path,
};

/** Sign in: with the token of the address if there is one (it is wiped from there), or as one is. Gives the name. */
export async function signIn() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    history.replaceState(null, "", location.pathname);
    await open(token).catch(() => null);
  }
  const me = await api.get("me");
  csrf = me.csrf;
  user = me.user;
  return user;
}

async function open(token) {
  const me = await call("POST", "session", { token });
  csrf = me.csrf;
  return me;
}

let asking = null;

/** A dialog that asks for the token until it is right. */
function askForToken() {
  asking ||= new Promise((done) => {
    const input = el("input", { type: "password", autocomplete: "off", required: true });
    const wrong = el("p.small", { role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      try {
        const me = await open(input.value.trim());
        if (user && me.user !== user) return location.reload(); // what waits to be asked is somebody else's to ask
      } catch (error) {
        refill(wrong, `${error.message} ${error.advice || ""}`);
        input.select();
        return undefined;
      }
      asking = null;
      dialog.close();
      dialog.remove();
      return done();
    };
    const dialog = el(
      "dialog",
      { "aria-labelledby": "sign-in", oncancel: (event) => event.preventDefault() },
      el(
        "form",
        { onsubmit: submit },
        el("h2", { id: "sign-in" }, "Sign in"),
        el(
          "p",
          {},
          "The service prints a token when it starts, or whoever runs it gave you one. It keeps others out of your documents.",
        ),
        field("Token", input),
        wrong,
        button("Sign in", null, { type: "submit", class: "main" }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

const ENDED = ["done", "failed", "cancelled"];

/** Follow a job to its end; `changed` hears of every step. Gives the result, or throws what went wrong. */
export async function follow(job, changed = () => {}) {
  changed(job);
  let latest = job;
  while (!ENDED.includes(latest.status)) {
    latest = (await listen(latest.id, changed).catch(() => null)) || (await rest(700), await api.get(`jobs/${job.id}`));
    changed(latest);
  }
  if (latest.status === "failed") throw new Fault(500, { error: latest.error });
  if (latest.status === "cancelled")
    throw Object.assign(new Fault(499, { error: { kind: "cancelled", message: "It was stopped." } }), { silent: true });
  return latest.result;
}

/** Hear of a job by server-sent events until it ends; rejects if they break off. */
function listen(id, changed) {
  return new Promise((done, failed) => {
    const source = new EventSource(`${ROOT}jobs/${id}/events`);
    source.onmessage = (event) => {
      const job = JSON.parse(event.data);
      changed(job);
      if (ENDED.includes(job.status)) {
        source.close();
        done(job);
      }
    };
    source.onerror = () => {
      source.close();
      failed(new Error("events"));
    };
  });
}

/** A file as the service takes it: its name, and its bytes in base64. */
export async function upload(file) {
  const data = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1] || "");
    reader.onerror = () =>
      failed(
        new Fault(0, { error: { kind: "file", message: "The file could not be read.", advice: "Choose it again." } }),
      );
    reader.readAsDataURL(file);
  });
  return { name: file.name, data };
}
