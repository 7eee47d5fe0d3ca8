/** Formats a whole number with commas between thousands. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/**
 * Formats rows as lines of a table. Columns are as wide as their widest cell and two spaces apart. The first
 * `leftColumns` are aligned left, the others right. Lines have no trailing spaces.
 */
export function alignColumns(rows: readonly (readonly string[])[], leftColumns = 1): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < leftColumns ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
