import { countryNames } from '../../gazetteer/country-names.js';
import type { Coverage, ManifestFile } from '../contract.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import type { Section } from '../../html/section.js';
import { fileBefore, type ReportSubject } from './subject.js';
import { table, type Column } from '../../html/table.js';
import { change, figure, percent, size } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

/** The address space that the datasets cover, by dataset, country and feed. */
export function coverage(subject: ReportSubject): Section {
  const { files } = subject.manifest;
  const datasets = files.filter(({ kind }) => kind !== 'verdicts');
  const verdicts = files.filter(({ kind }) => kind === 'verdicts');
  const served = datasets.filter(({ kind }) => kind === 'served');
  return {
    id: 'coverage',
    title: 'Coverage',
    body: html`${fileTable('Datasets', datasets, subject)}${served.map((file) => divisions(file, subject))}${fileTable('Verdicts of each feed', verdicts, subject)}`,
  };
}

function fileTable(caption: string, files: readonly ManifestFile[], subject: ReportSubject): Markup {
  if (files.length === 0) return NOTHING;
  return table({
    caption,
    columns: [
      { name: 'File' },
      { name: 'Networks', kind: 'figure' },
      { name: 'IPv4 addresses', kind: 'figure' },
      { name: 'IPv6 /64s', kind: 'figure' },
      { name: 'Records', kind: 'figure' },
      { name: 'Size', kind: 'figure' },
      { name: 'Terms', kind: 'word' },
    ],
    rows: files.map((file) => {
      const { coverage: now, records, sizeBytes, terms } = file;
      const before = subject.last && { coverage: fileBefore(subject, file)?.coverage };
      const cell = (name: keyof Coverage): Insert =>
        html`${figure(now[name])}${before && html`<br /><small>${change(now[name], before.coverage?.[name])}</small>`}`;
      const ofAddresses = isOfAddresses(file) ? [cell('ipv4Addresses'), cell('ipv6Slash64s')] : ['', ''];
      return [file.name, cell('networks'), ...ofAddresses, figure(records), size(sizeBytes), terms];
    }),
  });
}

/** 32-bit keys, such as AS numbers, are not addresses. */
function isOfAddresses({ ipVersion }: ManifestFile): boolean {
  return ipVersion === 6;
}

const MOST_COUNTRIES = 20;

/** Tables of a dataset by country and by feed, if its manifest has them. */
function divisions(file: ManifestFile, subject: ReportSubject): Markup {
  const before = fileBefore(subject, file);
  const names = countryNames();
  const nameOf = (code: string): string =>
    code === 'none' ? 'no country' : `${names.get(code)?.names.en ?? code} ${code}`;
  return html`${shares(file.coverageByCountry, before?.coverageByCountry, {
    ...{ caption: `${file.name}: addresses by country`, row: 'Country', nameOf, most: MOST_COUNTRIES },
  })}${shares(file.coverageByFeed, before?.coverageByFeed, {
    caption: `${file.name}: addresses by the feed that decided the country`,
    ...{ row: 'Feed', nameOf: (feed) => feed, most: Infinity },
  })}`;
}

type Division = Readonly<Record<string, Coverage>>;

interface Shares {
  readonly caption: string;
  /** The heading of the rows. */
  readonly row: string;
  readonly nameOf: (key: string) => string;
  readonly most: number;
}

/** Both families side by side, the parts with the most IPv4 addresses first. */
function shares(now: Division, before: Division | undefined, { caption, row, nameOf, most }: Shares): Markup {
  const all = Object.entries(now).sort(
    ([a, { ipv4Addresses: less }], [b, { ipv4Addresses: more }]) => more - less || (a < b ? -1 : 1),
  );
  if (all.length === 0) return NOTHING;
  const sum = (parts: typeof all, of: Family): number => parts.reduce((total, [, one]) => total + one[of], 0);
  const rest = all.slice(most);
  const whole = { ipv4Addresses: sum(all, 'ipv4Addresses'), ipv6Slash64s: sum(all, 'ipv6Slash64s') };
  const cells = (value: Pick<Coverage, Family>, old: Coverage | undefined, isPart = true): Insert[] =>
    FAMILIES.flatMap((of): Insert[] => [
      figure(value[of]),
      percent(value[of], whole[of]),
      ...(before ? [isPart ? change(value[of], old?.[of]) : ''] : []),
    ]);
  return table({
    caption,
    columns: [{ name: row }, ...FAMILIES.flatMap((of) => familyColumns(of, before !== undefined))],
    rows: [
      ...all.slice(0, most).map(([key, value]) => [nameOf(key), ...cells(value, before?.[key])]),
      ...(rest.length === 0 ? [] : [restRow(rest, sum, cells)]),
    ],
  });
}

type Family = 'ipv4Addresses' | 'ipv6Slash64s';
const FAMILIES = ['ipv4Addresses', 'ipv6Slash64s'] as const satisfies readonly Family[];

function restRow(
  rest: [string, Coverage][],
  sum: (parts: [string, Coverage][], of: Family) => number,
  cells: (value: Pick<Coverage, Family>, old: Coverage | undefined, isPart?: boolean) => Insert[],
): Insert[] {
  const value = { ipv4Addresses: sum(rest, 'ipv4Addresses'), ipv6Slash64s: sum(rest, 'ipv6Slash64s') };
  return [`${figureText(rest.length)} more`, ...cells(value, undefined, false)];
}

function familyColumns(of: Family, withLast: boolean): Column[] {
  const name = of === 'ipv4Addresses' ? 'IPv4 addresses' : 'IPv6 /64s';
  return [
    { name, kind: 'figure' },
    { name: 'Share', kind: 'figure' },
    ...(withLast ? [{ name: 'Change', kind: 'figure' } as const] : []),
  ];
}
