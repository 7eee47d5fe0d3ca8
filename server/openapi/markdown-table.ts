/** Returns a Markdown table. Escapes the separator in cells, and links the decisions that they cite. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cellText(cell)).join(' | ')} |`).join('\n');
}

/** Escapes a table's separator and links decisions. */
function cellText(cell: string): string {
  return cell.replaceAll('|', '\\|').replace(/\bdecision (\d+)/g, '[decision $1](decisions.md#decision-$1)');
}

/** Returns the anchor that GitHub gives a heading: `get-apiiptarget` for `GET /api/ip/{target}`. */
export function headingSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-');
}
