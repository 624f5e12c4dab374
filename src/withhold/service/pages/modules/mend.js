// A review whose policy cannot be carried out, since its model or corpus is gone or it makes no sense for the document,
// cannot be shown before the policy is another one.

import { api } from "./api.js";
import { button, el, refill } from "./dom.js";
import { changeSetup } from "./setup.js";

/** Show why, and the set-up. */
export async function mend(main, id, fault) {
  const [review, policy] = await Promise.all([api.get(`reviews/${id}`), api.get(`reviews/${id}/policy`)]);
  const store = async (changed) => {
    await api.put(`reviews/${id}/policy`, { version: review.version, policy: changed });
    location.reload();
    return true;
  };
  refill(
    main,
    el(
      "div.page",
      {},
      el("header", {}, el("h1", {}, review.name)),
      el("p.note.warn", { role: "alert" }, `${fault.message} ${fault.advice} What was decided so far stays.`),
      button("Set-up", () => changeSetup(policy, store), { class: "main" }),
    ),
  );
}
