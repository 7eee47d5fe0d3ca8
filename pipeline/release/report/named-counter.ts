import { COUNTER_GRIDS, COUNTER_ROWS, type CounterGrid } from './counter-names.js';

/** The place of a counter in a grid. `column` is absent in grids without columns. */
export interface GridPlace {
  readonly grid: CounterGrid;
  readonly row: string;
  readonly column?: string;
}

/** Returns the place of a counter in a grid; undefined for counters outside of them. */
export function gridPlaceOf(name: string): GridPlace | undefined {
  const grid = COUNTER_GRIDS.find(({ prefix }) => name.startsWith(prefix));
  if (!grid) return undefined;
  const rest = name.slice(grid.prefix.length);
  if (!grid.columns) return { grid, row: rest };
  // Rows may contain dots, and so may columns: a known column is cut off first.
  const known = Object.keys(grid.columns).find((column) => rest.endsWith(`.${column}`));
  const cut = known === undefined ? rest.indexOf('.') : rest.length - known.length - 1;
  return cut < 1 ? undefined : { grid, row: rest.slice(0, cut), column: rest.slice(cut + 1) };
}

/** Returns the name for people of a row of a grid. */
export function rowName({ rows }: CounterGrid, row: string): string {
  return (Object.hasOwn(rows ?? {}, row) ? rows?.[row] : undefined) ?? row;
}

/** Returns the name for people of a column of a grid. */
export function columnName({ columns }: CounterGrid, column: string): string {
  return (Object.hasOwn(columns ?? {}, column) ? columns?.[column] : undefined) ?? inWords(column);
}

/** Returns the name for people of any counter, such as `Types of addresses: Tor exit (TOR), IPv4 addresses`. */
export function counterName(name: string): string {
  for (const { caption, names } of COUNTER_ROWS) {
    if (Object.hasOwn(names, name)) return `${caption}: ${names[name]!}`;
  }
  const place = gridPlaceOf(name);
  if (!place) return inWords(name);
  const { grid, row, column } = place;
  const tail = column === undefined ? '' : `, ${columnName(grid, column)}`;
  return `${grid.caption}: ${rowName(grid, row)}${tail}`;
}

/** Splits an identifier into words: `free.newSpace` becomes `free: new space`. */
export function inWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replaceAll('.', ': ');
}
