import { alignColumns, grouped } from '../release/columns.js';
import type { Division, Evaluation, Section } from './evaluate.js';
import type { SetAside } from './truth.js';

/** An evaluation for people: one table per part of the truth, for the divisions asked for. */
export function formatEvaluation(evaluation: Evaluation, divisions: readonly Division[]): string {
  const { places, excluded, sections } = evaluation;
  const left = excluded.geofeed + excluded.override;
  const lines = [
    `${grouped(places)} places; ${grouped(left)} more left out, where the build itself read a geofeed ` +
      `(${grouped(excluded.geofeed)}) or an override (${grouped(excluded.override)})`,
  ];
  for (const section of sections) {
    if (divisions.includes(section.by)) lines.push('', ...sectionLines(section));
  }
  return lines.join('\n');
}

/** Rows of a truth file that count for nothing, by reason, with their first lines; none when every row counts. */
export function formatSetAside(of: string, setAside: readonly SetAside[]): string[] {
  const reasons = [...new Set(setAside.map(({ reason }) => reason))].sort();
  return reasons.map((reason) => {
    const rows = setAside.filter((row) => row.reason === reason);
    const shown = rows.slice(0, SHOWN).map(({ line, excerpt }) => `${line} (${printable(excerpt)})`);
    const more = rows.length > SHOWN ? ', …' : '';
    return `  ${of}: ${reason} ${grouped(rows.length)}, line ${shown.join(', ')}${more}`;
  });
}

const SHOWN = 3;

const HEADER = [
  '',
  'country %',
  'region %',
  'city id %',
  'city name %',
  '≤50 km %',
  'median km',
  'answered %',
];

function sectionLines({ by, of, places, rows }: Section): string[] {
  const title = by === 'all' ? of : `${by}: ${of}`;
  const table = rows.map((row) => [
    row.subject,
    percent(row.country),
    percent(row.region),
    percent(row.cityId),
    percent(row.cityName),
    percent(row.within50Km),
    row.medianKm === undefined ? '' : row.medianKm.toFixed(1),
    percent(row.answered),
  ]);
  return [`${title} (${grouped(places)} places)`, ...alignColumns([HEADER, ...table])];
}

/** Empty where the truth asked nothing. */
function percent(share: number | undefined): string {
  return share === undefined ? '' : (100 * share).toFixed(1);
}

/** Somebody's text for a terminal: no control characters, which could steer it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
