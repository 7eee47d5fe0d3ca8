import { bar } from './charts.js';
import { crossTable, isCross } from './counter-cross.js';
import { html, NOTHING, type Markup } from './markup.js';
import type { CounterPair } from './subject.js';
import { table, type Column } from './table.js';
import { change, figure } from './wording.js';

/**
 * Renders all counters, grouped by the first part of their dotted names. Counters that differ in the last part only
 * (`isp.types.VPN`, `isp.types.TOR`) get a table with bars. If many have the same last parts (`lists.tor.hits`,
 * `lists.aws.hits`), these become columns.
 */
export function counterTables(counters: CounterPair): Markup {
  const groups = [...groupBy([...counters.now.keys()], (name) => name.split('.', 1)[0]!)];
  const single = groups.flatMap(([, names]) => (names.length === 1 ? names : []));
  const larger = groups.filter(([, names]) => names.length > 1);
  const tables = larger.map(([group, names]) => ({ isWide: isCross(names), group, names }));
  const narrow = tables.filter(({ isWide }) => !isWide);
  const wide = tables.filter(({ isWide }) => isWide);
  return html`<div class="groups">
      ${narrow.map(({ group, names }) => groupTables(group, names, counters))}${plainTable(
        'Other counters',
        single,
        { counters, cut: 0 },
      )}
    </div>
    ${wide.map(({ group, names }) => crossTable(group, names, counters))}`;
}

function groupTables(group: string, names: readonly string[], counters: CounterPair): Markup {
  const families = groupBy(names, (name) => name.slice(0, name.lastIndexOf('.')));
  const apart = [...families].filter(([family, members]) => family.includes('.') && members.length > 1);
  const inFamilies = new Set(apart.flatMap(([, members]) => members));
  const others = names.filter((name) => !inFamilies.has(name));
  return html`${plainTable(group, others, { counters, cut: group.length + 1 })}${apart.map(
    ([family, members]) => familyTable(family, members, counters),
  )}`;
}

interface PlainTable {
  readonly counters: CounterPair;
  /** Leading characters of the names that the caption already shows. */
  readonly cut: number;
}

function plainTable(caption: string, names: readonly string[], { counters, cut }: PlainTable): Markup {
  if (names.length === 0) return NOTHING;
  return table({
    caption,
    columns: [{ name: 'Counter' }, { name: 'Count', kind: 'figure' }, ...changeColumn(counters)],
    rows: [...names].sort().map((name) => [name.slice(cut), ...countCells(name, counters)]),
  });
}

function familyTable(family: string, names: readonly string[], counters: CounterPair): Markup {
  const valueOf = (name: string): number => counters.now.get(name)!;
  const sorted = [...names].sort((a, b) => valueOf(b) - valueOf(a) || (a < b ? -1 : 1));
  const longest = Math.max(valueOf(sorted[0]!), 0);
  return table({
    caption: family,
    columns: [
      { name: 'Counter' },
      { name: 'Chart', kind: 'picture' },
      { name: 'Count', kind: 'figure' },
      ...changeColumn(counters),
    ],
    rows: sorted.map((name) => [
      name.slice(family.length + 1),
      bar(Math.max(valueOf(name), 0), longest, counters.before?.get(name)),
      ...countCells(name, counters),
    ]),
  });
}

function countCells(name: string, { now, before }: CounterPair): (Markup | string)[] {
  const value = now.get(name)!;
  return before ? [figure(value), change(value, before.get(name))] : [figure(value)];
}

function changeColumn({ before }: CounterPair): Column[] {
  return before ? [{ name: 'Change', kind: 'figure' }] : [];
}

function groupBy(names: readonly string[], groupOf: (name: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groupOf(name);
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return groups;
}
