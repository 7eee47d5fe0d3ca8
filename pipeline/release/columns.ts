import { displayWidth, padLeft, padRight } from '../text/display-width.js';
import { printableLine } from '../text/printable.js';

/** Formats a whole number with commas between thousands. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** Greatest length of a cell, in UTF-16 units. */
const CELL_LENGTH = 1000;

/**
 * Formats rows as lines of a table. Columns are as wide as their widest cell in a terminal and two spaces apart. The
 * first `leftColumns` are aligned left, the others right. Lines have no trailing spaces. Text from others is escaped.
 */
export function alignColumns(rows: readonly (readonly string[])[], leftColumns = 1): string[] {
  const widths: number[] = [];
  const safeRows = rows.map((row) => row.map((cell) => printableLine(cell, CELL_LENGTH)));
  for (const row of safeRows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))));
  }
  return safeRows.map((row) =>
    row
      .map((cell, column) =>
        column < leftColumns ? padRight(cell, widths[column]!) : padLeft(cell, widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
