import { displayWidth } from '../text/display-width.js';

/** Least width of a column of text that is divided to fit. */
const LEAST_TEXT = 12;

/** The width of a table in columns of a terminal, and its cells. */
export interface FittedTable {
  readonly widths: readonly number[];
  /** The lines of each cell, by row and column. */
  readonly cells: readonly (readonly (readonly string[])[])[];
}

/**
 * Fits rows into `columns` columns of a terminal with `gap` spaces between two of them: the widest columns are narrowed
 * and their cells are divided at spaces, then words of the first `leftColumns`, which are text. Numbers are not divided,
 * nor a number from its unit: a table of too many numbers stays too wide.
 */
export function fitColumns(
  rows: readonly (readonly string[])[],
  {
    columns,
    gap,
    leftColumns,
  }: { readonly columns: number; readonly gap: number; readonly leftColumns: number },
): FittedTable {
  const count = Math.max(0, ...rows.map(({ length }) => length));
  const widest = (textsOf: (cell: string) => string[]): number[] =>
    Array.from({ length: count }, (_, column) =>
      Math.max(...rows.flatMap((row) => textsOf(row[column] ?? '')).map(displayWidth)),
    );
  const words = widest(wordsOf);
  const room = columns - gap * Math.max(0, count - 1);
  const divided = narrow(
    widest((cell) => [cell]),
    words,
    room,
  );
  const least = words.map((width, column) => (column < leftColumns ? Math.min(width, LEAST_TEXT) : width));
  const widths = narrow(divided, least, room);
  return { widths, cells: rows.map((row) => row.map((cell, column) => divide(cell, widths[column]!))) };
}

/** Narrows the widest columns until all of them fit, none below its least width. */
function narrow(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  const widestOf = (best: number, width: number, column: number): number =>
    width > least[column]! && width > (widths[best] ?? -1) ? column : best;
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const column = widths.reduce(widestOf, -1);
    if (column < 0) break;
    widths[column]! -= 1;
  }
  return widths;
}

/** Divides a cell into lines of a greatest width: at spaces, and words that are wider. */
function divide(cell: string, width: number): string[] {
  if (displayWidth(cell) <= width) return [cell];
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(cell).flatMap((long) => pieces(long, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Returns the parts of a cell that stay together. A number and its unit are one: `9.95 MB`, `14.1 %`. */
function wordsOf(cell: string): string[] {
  return NUMBER_WITH_UNIT.test(cell) ? [cell] : cell.split(' ');
}

const NUMBER_WITH_UNIT = /^-?[\d,.]+ (%|[A-Za-z]+)$/;

function pieces(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const parts: string[] = [''];
  for (const character of word) {
    const longer = parts.at(-1)! + character;
    if (displayWidth(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
