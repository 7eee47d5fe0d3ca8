import { countryNames } from '../../gazetteer/country-names.js';
import type { Coverage, ManifestFile } from '../contract.js';
import { bar } from './charts.js';
import { html, NOTHING, type Insert, type Markup } from './markup.js';
import type { Section } from './section.js';
import { fileBefore, type ReportSubject } from './subject.js';
import { table, type Column } from './table.js';
import { change, figure, percent, size } from './wording.js';

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
  const longest = Math.max(...files.filter(isOfAddresses).map((file) => file.coverage.ipv4Addresses));
  return table({
    caption,
    columns: [
      { name: 'File' },
      { name: 'Networks', kind: 'figure' },
      { name: 'IPv4 addresses', kind: 'figure' },
      { name: 'Chart', kind: 'picture' },
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
      const ofAddresses = isOfAddresses(file)
        ? [
            cell('ipv4Addresses'),
            bar(now.ipv4Addresses, longest, before?.coverage?.ipv4Addresses),
            cell('ipv6Slash64s'),
          ]
        : ['', '', ''];
      return [file.name, cell('networks'), ...ofAddresses, figure(records), size(sizeBytes), terms];
    }),
  });
}

/** 32-bit keys, such as AS numbers, are not addresses. */
function isOfAddresses({ ipVersion }: ManifestFile): boolean {
  return ipVersion === 6;
}

function changeColumn(withLast: boolean): Column[] {
  return withLast ? [{ name: 'Change', kind: 'figure' }] : [];
}

const MOST_COUNTRIES = 20;

/** Tables of a dataset by country and by feed, if its manifest has them. */
function divisions(file: ManifestFile, subject: ReportSubject): Markup {
  const before = fileBefore(subject, file);
  const names = countryNames();
  const nameOf = (code: string): string =>
    code === 'none' ? 'no country' : `${names.get(code)?.names.en ?? code} ${code}`;
  const byFigure = (share: Share, caption: string): Markup =>
    shares(file.coverageByCountry, before?.coverageByCountry, {
      share,
      caption,
      nameOf,
      most: MOST_COUNTRIES,
    });
  return html`${byFigure('ipv4Addresses', `${file.name}: IPv4 addresses by country`)}${byFigure('ipv6Slash64s', `${file.name}: IPv6 /64s by country`)}${shares(
    file.coverageByFeed,
    before?.coverageByFeed,
    {
      share: 'ipv4Addresses',
      caption: `${file.name}: IPv4 addresses by the feed that decided the country`,
      nameOf: (feed) => feed,
      most: Infinity,
    },
  )}`;
}

type Share = 'ipv4Addresses' | 'ipv6Slash64s';
type Division = Readonly<Record<string, Coverage>>;

interface Shares {
  readonly share: Share;
  readonly caption: string;
  readonly nameOf: (key: string) => string;
  readonly most: number;
}

function shares(
  now: Division,
  before: Division | undefined,
  { share, caption, nameOf, most }: Shares,
): Markup {
  const all = Object.entries(now)
    .map(([key, figures]) => ({ key, value: figures[share] }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
  if (all.length === 0) return NOTHING;
  const whole = all.reduce((sum, { value }) => sum + value, 0);
  const shown = all.slice(0, most);
  const longest = shown[0]!.value;
  const rest = all.slice(shown.length).reduce((sum, { value }) => sum + value, 0);
  const others = all.length - shown.length;
  const withLast = before !== undefined;
  return table({
    caption,
    columns: [
      { name: share === 'ipv4Addresses' ? 'Addresses of' : '/64s of' },
      { name: 'Chart', kind: 'picture' },
      { name: 'Count', kind: 'figure' },
      { name: 'Share', kind: 'figure' },
      ...changeColumn(withLast),
    ],
    rows: [
      ...shown.map(({ key, value }) => [
        nameOf(key),
        bar(value, longest, before?.[key]?.[share]),
        figure(value),
        percent(value, whole),
        ...(withLast ? [change(value, before[key]?.[share])] : []),
      ]),
      ...(others > 0
        ? [[`${figure(others)} more`, '', figure(rest), percent(rest, whole), ...(withLast ? [''] : [])]]
        : []),
    ],
  });
}
