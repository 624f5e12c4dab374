// What is marked in a document: one owner for each character. Doubtful findings lie lowest, then risks, sure findings, and
// what will be changed.

/** Six levels of risk, from none to giving the secret away, each with words for it. */
export const LEVELS = ["no risk", "slight risk", "some risk", "notable risk", "high risk", "gives it away"];
const STEPS = [0.05, 0.15, 0.3, 0.5, 0.8];

const NOTABLE = 3;

function split(marks, first) {
  return [marks.filter(first), marks.filter((mark) => !first(mark))];
}

export function level(risk) {
  return STEPS.filter((step) => risk >= step).length;
}

export const key = (span) => `${span.start}-${span.end}`;

/** How much each term that still stands tells now, at most, of any secret: by id. */
export function risksNow(standing) {
  const risks = new Map();
  for (const { highest } of standing.terms) {
    for (const [id, risk] of Object.entries(highest)) risks.set(id, Math.max(risk, risks.get(id) || 0));
  }
  return risks;
}

function ofTerms(review) {
  const marks = [];
  const risks = risksNow(review.state.standing);
  for (const term of review.overview.terms) {
    const risk = risks.get(term.id) || 0;
    const kept = review.decided(term)?.decision.action === "keep";
    if (!kept && level(risk) === 0) continue;
    for (const span of term.spans) marks.push({ kind: "term", span, term, risk, kept });
  }
  return marks.sort(
    (one, other) => level(one.risk) - level(other.risk) || one.term.text.length - other.term.text.length,
  );
}

function ofFindings(review) {
  const verdicts = review.verdicts();
  return review.overview.findings.map((finding) => ({
    kind: "finding",
    span: finding.span,
    finding,
    kept: verdicts.get(key(finding.span)) === "reject" || review.keeps(finding.span),
  }));
}

/** Pieces that were changed; text that was put in has an empty span. While a slider moves, what it would change. */
function ofChanges(review) {
  const { pieces, changes } = review.state;
  const marks = pieces
    .filter((piece) => piece.change !== null)
    .map(({ span, text, change }) => ({
      kind: "edit",
      span,
      text,
      edit: changes[change].edit,
      origin: changes[change].origin,
    }));
  if (!review.sliding) return marks;
  const alone = review.state.standing.levels.length < 2;
  const sliding = review.sliding.map((edit) => ({
    kind: "edit",
    span: edit.span,
    text: edit.replacement ?? review.mark,
    edit,
    origin: "strength",
  }));
  return [...sliding, ...marks.filter((mark) => mark.origin !== "strength" || !alone)];
}

/** Whether what is left of a mark under others is worth showing: not of a doubtful finding, and never a space alone. */
function shows(review, mark, start, end) {
  const whole = start === mark.span.start && end === mark.span.end;
  if (mark.kind === "edit" || whole) return true;
  return !mark.finding?.doubtful && review.text.slice(start, end).trim() !== "";
}

/** Every stretch of the text with the mark that owns it: `[start, end, mark]`, in order, in code points. */
export function stretches(review) {
  const changes = ofChanges(review);
  const findings = ofFindings(review);
  const doubtful = (mark) => mark.finding.doubtful && !mark.kept;
  const [slight, notable] = split(ofTerms(review), (mark) => level(mark.risk) < NOTABLE);
  const [unsure, sure] = split(findings, doubtful);
  const marks = [...slight, ...unsure, ...notable, ...sure, ...changes];
  const owner = new Int32Array(review.text.length).fill(-1);
  marks.forEach((mark, number) => owner.fill(number, mark.span.start, mark.span.end));
  const found = [];
  for (let start = 0; start < owner.length;) {
    let end = start + 1;
    while (end < owner.length && owner[end] === owner[start]) end += 1;
    if (owner[start] >= 0 && shows(review, marks[owner[start]], start, end))
      found.push([start, end, marks[owner[start]]]);
    start = end;
  }
  for (const mark of changes)
    if (mark.span.start === mark.span.end && mark.text) found.push([mark.span.start, mark.span.end, mark]);
  return found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

/** Terms that tell more together, by id: for each term those it is linked with. */
export function linked(overview) {
  const partners = new Map();
  const add = (one, other) => partners.set(one, (partners.get(one) || new Set()).add(other));
  for (const { terms } of overview.links)
    for (const one of terms) for (const other of terms) if (one !== other) add(one, other);
  return partners;
}
