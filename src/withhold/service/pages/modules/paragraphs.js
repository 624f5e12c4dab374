// The structure of a document: its paragraphs, headings, items and cells.

const PLACES = new Set(["body", "paragraph", "heading", "item", "cell", ""]);
const CELL = /^table (\d+), row (\d+), cell (\d+)$/;
/** Prose whose lines are longer than this, and go on in the middle of sentences, was broken for want of room. */
const FULL = 45;
const GOES_ON = /[\p{Ll}\p{Lo},]\s*\n\p{L}/gu;
const RECORDS = /\.(csv|tsv|jsonl?|log)$/i;

/** The paragraphs of a document: where each starts and ends, and what it is. */
export function paragraphs(document, text) {
  const found = [];
  const records = RECORDS.test(document.name);
  for (const { span, kind, where } of document.blocks) {
    let start = span.start;
    for (const part of text.slice(span.start, span.end).split(/(\n[ \t]*\n\s*)/)) {
      const end = start + [...part].length;
      if (part.trim()) found.push({ start, end, flowing: !records && flows(part), ...looks(kind, where) });
      start = end;
    }
  }
  return found;
}

/** Whether line breaks of a paragraph mean nothing, so that it can be shown in lines of any length. */
function flows(part) {
  const lines = part.trim().split("\n");
  const full = lines.slice(0, -1).every((line) => line.length > FULL);
  return lines.length > 1 && full && 2 * (part.match(GOES_ON) ?? []).length >= lines.length - 1;
}

function looks(kind, where) {
  const told = /^(?:h|heading )([1-9])$/.exec(where);
  const level = told ? Number(told[1]) : kind === "heading" || where === "title" ? 1 : 0;
  const cell = CELL.exec(where)?.slice(1).map(Number) ?? null;
  const shape = level ? "heading" : where === "li" || kind === "item" ? "item" : "text";
  const place = kind === "header" ? where : kind; // of a mail: From, To, Subject
  return { shape, level, cell, place: PLACES.has(kind) || level ? "" : place };
}

/** Of each paragraph the table that it or, where it is an attribute, what follows is in; undefined outside of tables. */
function numbers(paragraphs) {
  const found = [];
  for (let at = paragraphs.length - 1; at >= 0; at -= 1) {
    const { cell, place } = paragraphs[at];
    found[at] = cell ? cell[0] : place ? found[at + 1] : undefined;
  }
  return found;
}

/**
 * Paragraphs one after the other, and those of a table as its rows and cells. What an element says in its attributes comes
 * before its text: inside of a table it goes into the cell that follows.
 */
export function tables(paragraphs) {
  const found = [];
  const number = numbers(paragraphs);
  let waiting = [];
  for (const [at, paragraph] of paragraphs.entries()) {
    const inside = number[at] !== undefined && number[at] === found.at(-1)?.table;
    if (paragraph.cell) {
      if (!inside) found.push({ table: number[at], rows: new Map() });
      const [, row, cell] = paragraph.cell;
      const { rows } = found.at(-1);
      if (!rows.has(row)) rows.set(row, new Map());
      rows.get(row).set(cell, [...(rows.get(row).get(cell) ?? []), ...waiting, paragraph]);
      waiting = [];
    } else if (inside) waiting.push(paragraph);
    else found.push(paragraph);
  }
  return found;
}
