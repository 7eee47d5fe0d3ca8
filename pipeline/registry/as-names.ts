import { join } from 'node:path';
import { readCsvRows, type CsvVisitor } from '../input/rows/csv-rows.js';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { withDownload } from '../input/routing-downloads.js';
import { namesNoCountry, parseCountry } from '../input/names/iso3166.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import type { Reason, Tally } from '../input/tally.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import { readEach } from '../input/read-each.js';
import { parseAsName } from './as-name-text.js';
import type { AsName, AsNames } from './registries.js';
import { positionOf } from './sorted-numbers.js';
import { readWholeLines } from './whole-lines.js';

/** The files in the order of precedence; the first line about an AS number counts. */
const FILES: readonly PublishedFile[] = ['asn.txt', 'asnames.txt'].map((name) =>
  withDownload({
    folder: 'asnames',
    name,
    container: 'plain',
    required: false,
    take: 'all',
    maxUnpackedBytes: 128_000_000,
  }),
);

/** The names and holders of AS numbers, as published by the RIPE NCC. */
export const AS_NAMES: RoutingSource = {
  id: 'asnames',
  publisher: 'RIPE NCC',
  licence: { name: 'RIPE NCC, public', url: 'https://ftp.ripe.net/ripe/asnames/', terms: 'free' },
  files: FILES,
  cadence: 'daily',
  version: 3,
  tolerance: 0.01,
  normalise,
};

/** Loads the normalised AS names from a folder. Throws ColumnFileError. */
export function loadAsNames(dir: string): AsNames {
  const { asns, names, entities, countries } = readColumns(join(dir, NAME_FILE), NAME_COLUMNS);
  return {
    asns,
    nameOf: (asn) => {
      const index = positionOf(asns, asn);
      if (index === undefined) return undefined;
      const entity = entities[index]!;
      const country = countries[index]!;
      return {
        name: names[index]!,
        ...(entity !== '' && { entity }),
        ...(country !== '' && { country }),
      };
    },
  };
}

/** AS numbers with a name, ascending. An unknown entity or country is an empty string. */
const NAME_COLUMNS = {
  asns: 'u32',
  names: 'text',
  entities: 'text',
  countries: 'text',
} as const satisfies ColumnSpec;
const NAME_FILE = 'names.columns';

async function normalise(files: readonly OpenFile[], { dir, tallyOf }: NormaliseContext): Promise<void> {
  const names = new Map<number, AsName>();
  const inOrder = [...files].sort((a, b) => rankOf(a) - rankOf(b));
  await readEach('asnames', inOrder, async (file) => {
    const reader = new NameReader(names, tallyOf(file));
    await readCsvRows(file, readWholeLines(file), WHOLE_LINES, reader);
  });
  const ascending = [...names].sort(([a], [b]) => a - b);
  writeColumns(join(dir, NAME_FILE), NAME_COLUMNS, {
    asns: Uint32Array.from(ascending, ([asn]) => asn),
    names: ascending.map(([, { name }]) => name),
    entities: ascending.map(([, { entity }]) => entity ?? ''),
    countries: ascending.map(([, { country }]) => country ?? ''),
  });
}

function rankOf(file: OpenFile): number {
  return FILES.findIndex(({ name }) => name === file.name);
}

/** A line is one field, because names contain no tabs. */
const WHOLE_LINES = { delimiter: '\t', quote: false } as const;

/** Reads lines `ASN NAME[ description], CC`. The description may contain commas and spaces. */
class NameReader implements CsvVisitor {
  readonly #names: Map<number, AsName>;
  readonly #tally: Tally;

  constructor(names: Map<number, AsName>, tally: Tally) {
    this.#names = names;
    this.#tally = tally;
  }

  row(fields: string[], line: number): void {
    const text = fields.join('\t');
    const refused = this.#read(LINE.exec(text)?.groups as LineGroups | undefined);
    if (refused === undefined) this.#tally.accept();
    else this.bad(refused, line, text);
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#tally.reject(reason, line, excerpt);
  }

  #read(groups: LineGroups | undefined): Reason | undefined {
    if (!groups) return 'columns';
    const asn = Number(groups.asn);
    if (asn > MAX_ASN) return 'asn';
    const country = parseCountry(groups.country);
    if (country === undefined && !namesNoCountry(groups.country)) return 'country';
    const name = parseAsName(groups.text.trim(), { asn, country });
    if (name) this.#add(asn, name);
    else this.#tally.note('unknown');
    return undefined;
  }

  #add(asn: number, name: AsName): void {
    const held = this.#names.get(asn);
    if (held) this.#tally.note(isSame(held, name) ? 'duplicate' : 'conflict');
    else this.#names.set(asn, name);
  }
}

interface LineGroups {
  readonly asn: string;
  readonly text: string;
  readonly country: string;
}

const LINE = /^(?<asn>\d{1,10}) (?<text>.*), (?<country>[A-Za-z]{2})$/;
const MAX_ASN = 2 ** 32 - 1;
function isSame(a: AsName, b: AsName): boolean {
  return a.name === b.name && a.entity === b.entity && a.country === b.country;
}
