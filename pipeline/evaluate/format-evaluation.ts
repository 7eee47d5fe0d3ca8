import type { Note } from '../input/tally.js';
import { alignColumns } from '../release/columns.js';
import { printableLine, printableLines } from '../text/printable.js';
import type { Division, Evaluation, Section } from './evaluate.js';
import type { RowRemark } from './truth.js';
import { grouped } from '../text/figure-text.js';

/** Formats an evaluation as text: one table per part of the truth, for the requested divisions. */
export function formatEvaluation(evaluation: Evaluation, divisions: readonly Division[]): string {
  const { places, excluded, sections } = evaluation;
  const { geofeed, override, cloud, exchange } = excluded;
  const lines = [
    `${grouped(places)} places evaluated; ${grouped(geofeed + override + cloud + exchange)} excluded because the ` +
      `build used a geofeed (${grouped(geofeed)}), an override (${grouped(override)}), or the region of a cloud ` +
      `(${grouped(cloud)}) or exchange (${grouped(exchange)}) there`,
  ];
  const shown = sections.filter(({ by }) => divisions.includes(by));
  for (const section of shown) lines.push('', ...sectionLines(section));
  return printableLines([...lines, ...(shown.length === 0 ? [] : ['', LEGEND])]);
}

/** Formats remarks on the rows of a truth file: one line per reason with the first rows; none without remarks. */
export function formatRemarks(remarks: readonly RowRemark[]): string[] {
  const reasons = [...new Set(remarks.map(({ reason }) => reason))].sort();
  return reasons.map((reason) => {
    const rows = remarks.filter((row) => row.reason === reason);
    const shown = rows.slice(0, SHOWN).map(({ line, excerpt }) => `${line} (${printableLine(excerpt)})`);
    const more = rows.length > SHOWN ? ', …' : '';
    return `  ${reason} ${grouped(rows.length)}, line ${shown.join(', ')}${more}`;
  });
}

/** Formats the counts of notes on accepted rows. */
export function formatNotes(notes: Readonly<Partial<Record<Note, number>>>): string[] {
  return Object.entries(notes).map(
    ([note, count]) => `  ${NOTE_WORDS[note as Note] ?? note} ${grouped(count)}`,
  );
}

const NOTE_WORDS: Readonly<Partial<Record<Note, string>>> = {
  unknown: 'without a place',
  'host-bits': 'host bits set, masked',
  'region-country': 'region of another country, region not compared',
  'region-code': 'region code not in ISO 3166-2, region not compared',
};

const SHOWN = 3;

const LEGEND =
  'Columns are correct answers in percent of the places (or addresses) with a known truth at that level; no answer counts as ' +
  'incorrect. region: ISO 3166-2. city id: GeoNames. city name: as published. ≤50 km and median (in km): distance between the ' +
  'true city and the answer, with the number of places in brackets. answered: any country. Means are over the shares of ' +
  'the operators.';

const HEADER = ['', 'country', 'region', 'city id', 'city name', '≤50 km', 'median (of)', 'answered'];

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

/** Returns the median with the number of places, since a median of few places means little. Empty without distances. */
function medianOf({ medianKm, distances }: Section['rows'][number]): string {
  if (medianKm === undefined || distances === undefined) return '';
  return `${medianKm.toFixed(1)} (${grouped(distances)})`;
}

/** Returns an empty text if the level was not compared. */
function percent(share: number | undefined): string {
  return share === undefined ? '' : (100 * share).toFixed(1);
}
