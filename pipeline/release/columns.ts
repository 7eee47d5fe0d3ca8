import { padLeft, padRight } from '../text/display-width.js';
import { printableLine } from '../text/printable.js';
import { fitColumns } from './fit-columns.js';

/** Greatest length of a cell, in UTF-16 units. */
const CELL_LENGTH = 1000;

/** Greatest width of a table, in columns of a terminal. */
const TABLE_COLUMNS = 80;
const GAP = 2;

/**
 * Formats rows as lines of a table of at most 80 columns of a terminal. Columns are as wide as their widest cell, or
 * narrower if the table does not fit; their cells then take several lines. The first `leftColumns` are aligned left, the
 * others right. Lines have no trailing spaces. Text from others is escaped.
 */
export function alignColumns(rows: readonly (readonly string[])[], leftColumns = 1): string[] {
  const safeRows = rows.map((row) => row.map((cell) => printableLine(cell, CELL_LENGTH)));
  const { widths, cells } = fitColumns(safeRows, { columns: TABLE_COLUMNS, gap: GAP, leftColumns });
  return cells.flatMap((row) => {
    const height = Math.max(1, ...row.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      row
        .map((lines, column) => {
          const text = lines[at] ?? '';
          return column < leftColumns ? padRight(text, widths[column]!) : padLeft(text, widths[column]!);
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
}
