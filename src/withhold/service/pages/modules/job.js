// Work in the background, as it goes on: what is done, how far it is, and a way to stop it.

import { api, follow } from "./api.js";
import { button, el, refill } from "./dom.js";
import { say, tellError } from "./messages.js";

/** Show a job in a node until it ends. Gives its result, or null if it failed (which is told) or was stopped. */
export async function watch(job, node) {
  const bar = el("progress", { max: "1", value: job.progress, "aria-label": "Progress" });
  const doing = el("p.small", { role: "status" });
  refill(
    node,
    doing,
    bar,
    button("Stop", () => api.delete(`jobs/${job.id}`).catch(tellError), { class: "small" }),
  );
  try {
    return await follow(job, (latest) => {
      bar.value = latest.progress;
      const words = latest.status === "waiting" ? "Waiting for its turn…" : latest.doing || "At work…";
      if (doing.textContent !== words) doing.textContent = words;
    });
  } catch (error) {
    if (error.kind === "cancelled") say("Stopped.");
    else tellError(error);
    return null;
  } finally {
    refill(node);
  }
}
