// The structure of a document: its paragraphs, headings, items and cells.

const PLACES = new Set(["body", "paragraph", "heading", "item", "cell", ""]);

/** The paragraphs of a document: where each starts and ends, and what it is. */
export function paragraphs(document, text) {
  const found = [];
  for (const { span, kind, where } of document.blocks) {
    let start = span.start;
    for (const part of text.slice(span.start, span.end).split(/(\n[ \t]*\n\s*)/)) {
      const end = start + [...part].length;
      if (part.trim()) found.push({ start, end, ...looks(kind, where, part) });
      start = end;
    }
  }
  return found;
}

function looks(kind, where, part) {
  const lines = part.trimEnd().split("\n");
  const flowing = lines.length > 1 && lines.slice(0, -1).every((line) => line.length > 60);
  const heading = /^h[1-6]$/.test(where) || kind === "heading" || kind === "title";
  const shape = heading
    ? "heading"
    : where === "li" || kind === "item"
      ? "item"
      : /^t[dh]$/.test(where) || kind === "cell"
        ? "cell"
        : "text";
  const place = kind === "header" ? where : kind; // of a mail: From, To, Subject
  return { shape, flowing, place: PLACES.has(kind) || heading ? "" : place };
}
