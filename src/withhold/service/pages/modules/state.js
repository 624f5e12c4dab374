// One review, as the service has it: the text, what is known about it, and how it stands. Everything a person decides goes
// through here, one after the other, with the version it was decided on.

import { api, Fault } from "./api.js";
import { level } from "./marks.js";
import { tell, tellError } from "./messages.js";
import { Text } from "./text.js";

export class Review extends EventTarget {
  #queue = Promise.resolve();
  #policies = "";
  #byTerm = new Map();
  #byStart = new Map();
  #owners = [];

  constructor(id) {
    super();
    this.id = id;
    this.labels = {}; // what each covers, in words
    this.path = `reviews/${id}`;
    this.log = [];
    this.overview = null;
    this.state = null;
    this.sliding = null;
  }

  /** Ask for the text alone, which is there at once. */
  async read() {
    const [review, document] = await Promise.all([api.get(this.path), api.get(`${this.path}/document`)]);
    this.review = review;
    this.document = document;
    this.text = new Text(document.text);
    return this;
  }

  /** Ask for what is known about the text, and how it stands. */
  async load() {
    const [overview, now, log] = await Promise.all([
      api.get(`${this.path}/overview`),
      api.get(`${this.path}/state`),
      api.get(`${this.path}/decisions`),
    ]);
    this.#know(overview);
    this.log = log.lines;
    this.#policies = this.#inForce("policy")
      .map((line) => line.number)
      .join();
    this.#stand(now);
    return this;
  }

  /** Take over what is known; terms are called as the document first writes them. */
  #know(overview) {
    for (const term of overview.terms) term.text = this.text.slice(term.spans[0].start, term.spans[0].end);
    this.overview = overview;
    this.terms = new Map(overview.terms.map((term) => [term.id, term]));
    this.#owners = owners(overview.terms, this.text.length);
  }

  #stand({ review, policy, numbers, state }) {
    Object.assign(this, { review, policy, numbers, state });
    this.#index();
    this.dispatchEvent(new Event("change"));
  }

  /** What stands where something is taken out. */
  get mark() {
    const taken = this.state.pieces.find(
      ({ change }) => change !== null && this.state.changes[change].edit.operator === "suppress",
    );
    return taken?.text ?? this.policy?.operators?.mark ?? "[REDACTED]";
  }

  /** The lines of the log of one kind that hold. */
  #inForce(kind) {
    return this.log.filter((line) => line.kind === kind && line.counts);
  }

  /** Take over how it stands now, with the log, and anew what is known if the policy is another one. */
  async #settle(current) {
    this.log = (await api.get(`${this.path}/decisions`)).lines;
    const policies = this.#inForce("policy")
      .map((line) => line.number)
      .join();
    if (policies !== this.#policies) {
      this.#policies = policies;
      this.#know(await api.get(`${this.path}/overview`));
      this.dispatchEvent(new Event("overview"));
    }
    this.#stand(current);
  }

  /** A line of the log by its number. */
  line(number) {
    return this.log.find((line) => line.number === number);
  }

  /** Whether anything was decided after a version, so that what was made of it is no longer how the review stands. */
  since(version) {
    return this.log.some((line) => line.number > version && !["note", "approve", "release"].includes(line.kind));
  }

  /** Ask how it stands, since another tab or person may have changed it. */
  refresh() {
    return this.#next(async () => {
      const review = await api.get(this.path);
      if (review.version !== this.review.version) await this.#settle(await api.get(`${this.path}/state`));
      else if (review.status !== this.review.status || review.approved_by !== this.review.approved_by) {
        this.review = review;
        this.dispatchEvent(new Event("change"));
      }
    });
  }

  /** Decide something. Gives whether it was stored; if someone else was first, says so and offers to do it now. */
  decide(decision, done) {
    return this.#change("decisions", { decision }, done);
  }

  undo(done) {
    return this.#change("undo", {}, done);
  }

  redo(done) {
    return this.#change("redo", {}, done);
  }

  approve() {
    return this.#change("approval", {}, "Approved.");
  }

  #change(verb, body, done) {
    return this.#next(async () => {
      const version = this.review.version;
      try {
        await this.#settle(await api.post(`${this.path}/${verb}`, { version, ...body }));
      } catch (error) {
        if (!(error instanceof Fault) || error.status !== 409 || !error.answer.current) throw error;
        await this.#settle(error.answer.current);
        if (error.again && this.review.version === version + 1) return true;
        this.#conflict(verb, body, done, error);
        return false;
      }
      if (done) tell(done, { kind: "good" });
      return true;
    });
  }

  #conflict(verb, body, done, error) {
    tell("This review was changed elsewhere in the meantime.", {
      kind: "warn",
      advice: `${error.advice || "What was decided there is shown now."} Your own change was not made yet.`,
      actions: [
        ["Make my change now", () => this.#change(verb, body, done)],
        ["Leave it", () => {}],
      ],
    });
  }

  /** Do one thing after the other; what goes wrong is told, and gives false. */
  #next(act) {
    const result = this.#queue.then(act).catch((error) => {
      tellError(error);
      return false;
    });
    this.#queue = result;
    return result;
  }

  /** The line of the log that holds about a term, if there is one: the newest about it, or about one of its places. */
  decided(term) {
    const lines = [this.#byTerm.get(term.id), ...term.spans.map((span) => this.#byStart.get(span.start))];
    return lines.reduce(
      (newest, line) => (line && (!newest || line.number > newest.number) ? line : newest),
      undefined,
    );
  }

  /** Whether a person decided to keep the words of a span. */
  keeps(span) {
    return this.decided({ spans: [span] })?.decision.action === "keep";
  }

  #index() {
    this.#byTerm = new Map();
    this.#byStart = new Map();
    for (const line of this.#inForce("term")) {
      if (line.decision.term) this.#byTerm.set(line.decision.term, line);
      for (const span of line.decision.spans || []) this.#byStart.set(span.start, line);
    }
  }

  /** The most telling term at a place of the text, if there is one. */
  termAt(at) {
    return this.overview.terms[this.#owners[at]];
  }

  /** The last stop that the slider of a secret was put at, if it was moved. */
  strength(secret) {
    return this.#inForce("strength").findLast((line) => line.decision.secret === secret)?.decision.k;
  }

  /** What was decided about findings, by where they start: accept or reject. */
  verdicts() {
    const verdicts = new Map();
    for (const { decision } of this.#inForce("finding")) {
      for (const span of decision.spans)
        verdicts.set(`${span.start}-${span.end}`, decision.accept ? "accept" : "reject");
    }
    return verdicts;
  }
}

/** For each character the number of the most telling term that it belongs to, of equal ones the longest, or -1. */
function owners(terms, length) {
  const owner = new Int32Array(length).fill(-1);
  const risk = (term) => level(Math.max(0, ...term.told.map((told) => told.highest)));
  const order = terms.map((term, number) => [risk(term), term.text.length, number]);
  order.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  for (const [, , number] of order) for (const span of terms[number].spans) owner.fill(number, span.start, span.end);
  return owner;
}
