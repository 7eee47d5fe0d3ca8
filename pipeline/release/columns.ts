/** A whole number with a comma between thousands, as people read it. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/**
 * Lines of a table: columns as wide as their widest cell, two spaces apart, the first `leftColumns` aligned left and
 * the others right. No space at the end of a line.
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
