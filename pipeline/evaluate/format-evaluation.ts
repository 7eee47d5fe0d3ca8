import type { Note } from '../feeds/tally.js';
import { alignColumns, grouped } from '../release/columns.js';
import type { Division, Evaluation, Section } from './evaluate.js';
import type { RowRemark } from './truth.js';

/** An evaluation for people: one table per part of the truth, for the divisions asked for. */
export function formatEvaluation(evaluation: Evaluation, divisions: readonly Division[]): string {
  const { places, excluded, sections } = evaluation;
  const left = excluded.geofeed + excluded.override;
  const lines = [
    `${grouped(places)} places; ${grouped(left)} more left out, where the build itself read a geofeed ` +
      `(${grouped(excluded.geofeed)}) or an override (${grouped(excluded.override)})`,
  ];
  const shown = sections.filter(({ by }) => divisions.includes(by));
  for (const section of shown) lines.push('', ...sectionLines(section));
  return [...lines, ...(shown.length === 0 ? [] : ['', LEGEND])].join('\n');
}

/** Remarks on the rows of a truth file by reason, with the first lines; none where there is nothing to remark. */
export function formatRemarks(remarks: readonly RowRemark[]): string[] {
  const reasons = [...new Set(remarks.map(({ reason }) => reason))].sort();
  return reasons.map((reason) => {
    const rows = remarks.filter((row) => row.reason === reason);
    const shown = rows.slice(0, SHOWN).map(({ line, excerpt }) => `${line} (${printable(excerpt)})`);
    const more = rows.length > SHOWN ? ', …' : '';
    return `  ${reason} ${grouped(rows.length)}, line ${shown.join(', ')}${more}`;
  });
}

/** What is odd about rows that are no fault, by note. */
export function formatNotes(notes: Readonly<Partial<Record<Note, number>>>): string[] {
  return Object.entries(notes).map(
    ([note, count]) => `  ${NOTE_WORDS[note as Note] ?? note} ${grouped(count)}`,
  );
}

const NOTE_WORDS: Readonly<Partial<Record<Note, string>>> = {
  unknown: 'says nothing',
  'host-bits': 'bits behind the length, masked away',
  'region-country': 'region of another country, not asked',
};

const SHOWN = 3;

const LEGEND =
  '%: right answers among the places (or addresses) whose truth names that level; no answer is not right. Regions are ' +
  'ISO 3166-2, cities GeoNames ids or names as written, ≤50 km and the median (of so many places) are from city to ' +
  'answer, answered is any country. A mean is of the operators’ shares.';

const HEADER = [
  '',
  'country %',
  'region %',
  'city id %',
  'city name %',
  '≤50 km %',
  'median km (of)',
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
    medianOf(row),
    percent(row.answered),
  ]);
  return [`${title} (${grouped(places)} places)`, ...alignColumns([HEADER, ...table])];
}

/** With the number of places: half of a handful tells little. Empty where nothing was measured. */
function medianOf({ medianKm, distances }: Section['rows'][number]): string {
  if (medianKm === undefined || distances === undefined) return '';
  return `${medianKm.toFixed(1)} (${grouped(distances)})`;
}

/** Empty where the truth asked nothing. */
function percent(share: number | undefined): string {
  return share === undefined ? '' : (100 * share).toFixed(1);
}

/** Somebody's text for a terminal: no control characters, which could steer it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
