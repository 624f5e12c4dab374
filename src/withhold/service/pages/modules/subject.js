// What a panel is opened for: a term, a finding, a sentence, or words that a person selected.

/** Every place of some words in a text, in code points; letters count as the same whatever their case. */
export function places(text, words) {
  const wanted = words.toLowerCase();
  const found = [];
  const source = text.string.toLowerCase();
  if (!wanted.trim() || source.length !== text.string.length) return found;
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + wanted.length)) {
    found.push({ start: text.point(at), end: text.point(at + wanted.length) });
  }
  return found;
}

export function ofTerm(term, here = term.spans[0]) {
  return { kind: "term", text: term.text, spans: term.spans, here, term };
}

/** What a mark in the document stands for: a term, or, where something was found, all of what was found. */
export function ofMark(review, mark) {
  const term = mark.term || review.termAt(mark.span.start);
  const finding = mark.finding || findingAt(review, mark.span);
  if (mark.kind === "term") return { ...ofTerm(term, mark.span), finding };
  if (!finding && term) return { ...ofTerm(term, placeOf(term, mark.span)), edit: mark.edit };
  const here = finding ? finding.span : mark.span;
  const spans = finding ? sameEntity(review, finding) : [here];
  return { kind: "words", text: review.text.slice(here.start, here.end), spans, here, term, finding, edit: mark.edit };
}

function placeOf(term, span) {
  return term.spans.find((each) => each.start < span.end && each.end > span.start) || span;
}

export function findingAt(review, span) {
  return review.overview.findings.find((finding) => finding.span.start < span.end && finding.span.end > span.start);
}

function sameEntity(review, finding) {
  if (finding.entity === null) return [finding.span];
  return review.overview.findings
    .filter((each) => each.entity === finding.entity && each.label === finding.label)
    .map((each) => each.span);
}

export function ofWords(review, span) {
  const text = review.text.slice(span.start, span.end);
  const found = places(review.text, text);
  return {
    kind: "words",
    text,
    spans: found.length ? found : [span],
    here: span,
    term: review.termAt(span.start),
    finding: findingAt(review, span),
  };
}

export function ofSentence(review, sentence) {
  return {
    kind: "sentence",
    text: review.text.slice(sentence.span.start, sentence.span.end),
    spans: [sentence.span],
    here: sentence.span,
    sentence,
  };
}
