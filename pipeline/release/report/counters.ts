import { COUNTER_GRIDS, COUNTER_ROWS, type CounterGrid, type CounterRows } from './counter-names.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import { columnName, gridPlaceOf, inWords, rowName, type GridPlace } from './named-counter.js';
import type { CounterPair } from './subject.js';
import { table, type Column } from '../../html/table.js';
import { change, figure } from '../../html/wording.js';

/** Renders all counters of a dataset in tables with names for people. Unknown counters are in a last table. */
export function counterTables(counters: CounterPair): Markup {
  const inRows = new Set(COUNTER_ROWS.flatMap(({ names }) => Object.keys(names)));
  const places = new Map<string, GridPlace>();
  const others: string[] = [];
  for (const name of counters.now.keys()) {
    const place = inRows.has(name) ? undefined : gridPlaceOf(name);
    if (place) places.set(name, place);
    else if (!inRows.has(name)) others.push(name);
  }
  const rows = COUNTER_ROWS.map((group) => rowsTable(group, counters));
  const grids = COUNTER_GRIDS.map((grid) => ({
    isWide: Object.keys(grid.columns ?? {}).length > 2,
    markup: gridTable(grid, places, counters),
  }));
  const gridsOf = (wide: boolean): Markup[] =>
    grids.filter(({ isWide }) => isWide === wide).map(({ markup }) => markup);
  return html`<div class="groups">${rows}${gridsOf(false)}${otherTable(others, counters)}</div>
    ${gridsOf(true)}`;
}

function rowsTable({ caption, names }: CounterRows, counters: CounterPair): Markup {
  const shown = Object.entries(names).filter(([name]) => counters.now.has(name));
  return plainTable(caption, shown, counters);
}

function otherTable(names: readonly string[], counters: CounterPair): Markup {
  const rows = [...names].sort().map((name): [string, string] => [name, inWords(name)]);
  return plainTable('Other counters', rows, counters);
}

/** A row for each counter and its name for people. */
function plainTable(
  caption: string,
  rows: readonly (readonly [string, string])[],
  counters: CounterPair,
): Markup {
  if (rows.length === 0) return NOTHING;
  return table({
    caption,
    columns: [{ name: 'Counter' }, { name: 'Count', kind: 'figure' }, ...changeColumn(counters)],
    rows: rows.map(([name, text]) => [text, ...countCells(name, counters)]),
  });
}

/** A grid with the rows of the largest counters first. */
function gridTable(grid: CounterGrid, places: ReadonlyMap<string, GridPlace>, counters: CounterPair): Markup {
  const cells = new Map<string, Map<string, string>>();
  const columns = new Set<string>();
  for (const [name, { grid: its, row, column = COUNT }] of places) {
    if (its !== grid) continue;
    columns.add(column);
    cells.set(row, (cells.get(row) ?? new Map<string, string>()).set(column, name));
  }
  if (cells.size === 0) return NOTHING;
  const shown = inOrder([...columns], Object.keys(grid.columns ?? {}));
  const largest = ([, row]: [string, Map<string, string>]): number =>
    counters.now.get(row.get(shown[0]!) ?? '') ?? 0;
  return table({
    caption: grid.caption,
    columns: [
      { name: grid.row },
      ...shown.map((column) => ({
        name: column === COUNT ? 'Count' : columnName(grid, column),
        kind: 'figure' as const,
      })),
    ],
    rows: [...cells]
      .sort((a, b) => largest(b) - largest(a) || (a[0] < b[0] ? -1 : 1))
      .map(([row, names]) => [
        rowName(grid, row),
        ...shown.map((column) => gridCell(names.get(column), counters)),
      ]),
  });
}

/** The column of grids without columns. */
const COUNT = '';

function inOrder(columns: readonly string[], order: readonly string[]): string[] {
  const known = order.filter((column) => columns.includes(column));
  return [...known, ...columns.filter((column) => !order.includes(column)).sort()];
}

function gridCell(name: string | undefined, { now, before }: CounterPair): Insert {
  const value = name === undefined ? undefined : now.get(name);
  if (name === undefined || value === undefined) return '';
  const old = before?.get(name);
  const isMoved = old !== undefined && old !== value;
  return html`${figure(value)}${isMoved && html`<br /><small>${change(value, old)}</small>`}`;
}

function countCells(name: string, { now, before }: CounterPair): Insert[] {
  const value = now.get(name)!;
  return before ? [figure(value), change(value, before.get(name))] : [figure(value)];
}

function changeColumn({ before }: CounterPair): Column[] {
  return before ? [{ name: 'Change', kind: 'figure' }] : [];
}
