// What there is to decide about, as rows of a list.

import { key, level, LEVELS, risksNow } from "./marks.js";
import { percent } from "./text.js";

/** All rows: findings, and terms that tell something; each with how it stands. */
export function rows(review) {
  const verdicts = review.verdicts();
  const waiting = new Set(review.state.undecided.map(key));
  const risks = risksNow(review.state.standing);
  const starts = review.state.changes.map(({ edit }) => edit.span).sort((one, other) => one.start - other.start);
  const changed = (span) => starts.some((each) => each.start < span.end && each.end > span.start);
  const findings = review.overview.findings.map((finding) => {
    const verdict = verdicts.get(key(finding.span));
    const kept = verdict === "reject" || review.keeps(finding.span);
    const settled = changed(finding.span) ? "goes" : kept ? "stays" : verdict ? "goes" : "open";
    const status = waiting.has(key(finding.span)) ? "open" : settled;
    return {
      kind: "finding",
      id: `f${key(finding.span)}`,
      text: review.text.slice(finding.span.start, finding.span.end),
      spans: [finding.span],
      label: finding.label,
      sure: finding.score,
      status,
      why: finding.doubtful ? `perhaps ${finding.label}` : finding.label,
      finding,
    };
  });
  const terms = review.overview.terms
    .map((term) => {
      const risk = risks.get(term.id) ?? 0;
      const before = Math.max(0, ...term.told.map((told) => told.highest));
      const kept = review.decided(term)?.decision.action === "keep";
      const status = kept ? "stays" : changed(term.spans[0]) ? "goes" : "open";
      return {
        kind: "term",
        id: term.id,
        text: term.text,
        spans: term.spans,
        label: LEVELS[level(Math.max(risk, before))],
        sure: Math.max(risk, before),
        status,
        why: `${LEVELS[level(Math.max(risk, before))]}, ${percent(Math.max(risk, before))}`,
        term,
      };
    })
    .filter((row) => level(row.sure) > 0);
  return [
    ...findings.sort((one, other) => one.spans[0].start - other.spans[0].start),
    ...terms.sort((one, other) => other.sure - one.sure),
  ];
}
