import { html, type Insert, type Markup } from './markup.js';
import type { CounterPair } from './subject.js';
import { table } from './table.js';
import { change, figure } from './wording.js';

/** Returns whether counters `<group>.<row>.<column>` of one group make a cross table: enough rows, few columns. */
export function isCross(names: readonly string[]): boolean {
  const columnsByRow = new Map<string, number>();
  for (const name of names) {
    const { row, column } = partsOf(name);
    if (column !== '') columnsByRow.set(row, (columnsByRow.get(row) ?? 0) + 1);
  }
  const rows = [...columnsByRow.values()].filter((count) => count > 1).length;
  return rows >= FEWEST_ROWS && columnsOf(names).length <= MOST_COLUMNS;
}

/** Renders the counters of a group as a cross table, rows by name. */
export function crossTable(group: string, names: readonly string[], counters: CounterPair): Markup {
  const rows = [...new Set(names.map((name) => partsOf(name).row))].sort();
  const columns = columnsOf(names);
  return table({
    caption: group,
    columns: [
      { name: 'Counter' },
      ...columns.map((name) => ({ name: name || 'count', kind: 'figure' as const })),
    ],
    rows: rows.map((row) => [
      row,
      ...columns.map((column) => cell([group, row, ...(column === '' ? [] : [column])].join('.'), counters)),
    ]),
  });
}

const FEWEST_ROWS = 3;
const MOST_COLUMNS = 12;

function cell(name: string, { now, before }: CounterPair): Insert {
  const value = now.get(name);
  if (value === undefined) return '';
  const old = before?.get(name);
  return html`${figure(value)}${old !== undefined && old !== value && html`<br /><small>${change(value, old)}</small>`}`;
}

/** Splits `lists.tor.dropped.edge` into the row `tor` and the column `dropped.edge`. */
function partsOf(name: string): { row: string; column: string } {
  const [, row = '', ...rest] = name.split('.');
  return { row, column: rest.join('.') };
}

/** Returns the columns, the most frequent first. */
function columnsOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const { column } = partsOf(name);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return [...counts].sort(([a, less], [b, more]) => more - less || (a < b ? -1 : 1)).map(([name]) => name);
}
