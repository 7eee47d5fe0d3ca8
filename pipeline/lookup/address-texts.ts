import { NO_RECORD, type RecordFinder } from '../mmdb/record-finder.js';
import type { Address, Family } from '../net/address.js';
import type { Language } from '../record/language.js';
import { fieldReaders, LOOKUP_DATASETS, LOOKUP_FIELDS, RECORD_KEYS, type LookupDataset } from './fields.js';
import type { Notation } from './notation.js';
import { RecordTexts, type Texts } from './record-texts.js';

/** The opened files. A release may lack one. */
export type Finders = Readonly<Partial<Record<LookupDataset, RecordFinder>>>;

/** What is written for each address. */
export interface Wanted {
  /** Names of LOOKUP_FIELDS. */
  readonly fields: readonly string[];
  readonly language: Language;
  readonly notation: Notation;
  /** Stands before the names of the added fields. */
  readonly prefix: string;
}

/** Fields of one dataset that stand side by side: one text per record. */
interface Run {
  readonly dataset: LookupDataset;
  readonly fields: readonly string[];
}

/** Writes the chosen fields of addresses. */
export class AddressTexts {
  /** The fields of a line without an address. */
  readonly empty: string;
  /** Whether some dataset had a record of the last address. */
  isFound = false;
  readonly #finders: Finders;
  readonly #texts: Readonly<Partial<Record<LookupDataset, RecordTexts>>>;
  /** The texts of an address that the dataset does not know, also when the file is missing. */
  readonly #unknown: Readonly<Record<LookupDataset, Texts>>;
  readonly #parts: readonly { readonly dataset: LookupDataset; readonly index: number }[];
  readonly #separator: string;
  /** The index of the text for an unknown ISP among those of `asn`. */
  readonly #organisation: number;
  readonly #last = { geo: NaN, asn: NaN, isp: NaN, text: '' };

  constructor(finders: Finders, wanted: Wanted) {
    const { notation } = wanted;
    const runs = runsOf(wanted.fields);
    const writers = writersOf(runs, wanted);
    const used = LOOKUP_DATASETS.filter((dataset) => writers[dataset].runs.length > 0);
    this.#finders = Object.fromEntries(used.map((dataset) => [dataset, finders[dataset]]));
    this.#texts = Object.fromEntries(
      used.flatMap((dataset) => {
        const finder = finders[dataset];
        return finder
          ? [[dataset, new RecordTexts(finder.fieldsOf(RECORD_KEYS[dataset]), writers[dataset].textsOf)]]
          : [];
      }),
    );
    this.#unknown = {
      geo: writers.geo.textsOf(undefined),
      asn: writers.asn.textsOf(undefined),
      isp: writers.isp.textsOf(undefined),
    };
    this.#parts = runs.map((run) => ({
      dataset: run.dataset,
      index: writers[run.dataset].runs.indexOf(run),
    }));
    this.#organisation = writers.asn.runs.length - 1;
    this.#separator = notation.separator;
    this.empty = wanted.fields
      .map((name) => notation.field(wanted.prefix + name, undefined))
      .join(notation.separator);
  }

  /** Returns the fields of an address as text. Throws MmdbError when a file is damaged. */
  textOf(address: Address, family: Family): string {
    const { geo, asn, isp } = this.#finders;
    const geoAt = geo ? geo.find(address, family) : NO_RECORD;
    const asnAt = asn ? asn.find(address, family) : NO_RECORD;
    const ispAt = isp ? isp.find(address, family) : NO_RECORD;
    const last = this.#last;
    if (geoAt !== last.geo || asnAt !== last.asn || ispAt !== last.isp) {
      last.geo = geoAt;
      last.asn = asnAt;
      last.isp = ispAt;
      last.text = this.#join(
        this.#texts.geo?.get(geoAt) ?? this.#unknown.geo,
        this.#texts.asn?.get(asnAt) ?? this.#unknown.asn,
        this.#texts.isp?.get(ispAt) ?? this.#unknown.isp,
      );
      this.isFound = geoAt !== NO_RECORD || asnAt !== NO_RECORD || ispAt !== NO_RECORD;
    }
    return last.text;
  }

  #join(geo: Texts, asn: Texts, isp: Texts): string {
    const parts = this.#parts;
    let text = '';
    for (let i = 0; i < parts.length; i++) {
      const { dataset, index } = parts[i]!;
      const texts = dataset === 'geo' ? geo : dataset === 'asn' ? asn : isp;
      if (i > 0) text += this.#separator;
      text += texts[index] ?? asn[this.#organisation]!;
    }
    return text;
  }
}

/** Divides the fields into runs. `isp` is alone, because the organisation of the AS replaces an unknown one. */
function runsOf(fields: readonly string[]): Run[] {
  const runs: { dataset: LookupDataset; fields: string[] }[] = [];
  for (const name of fields) {
    const dataset = LOOKUP_FIELDS.get(name)!;
    const last = runs.at(-1);
    if (last?.dataset !== dataset || name === 'isp' || last.fields[0] === 'isp')
      runs.push({ dataset, fields: [name] });
    else last.fields.push(name);
  }
  return runs;
}

/** Makes the texts of the runs of one dataset. */
interface Writer {
  readonly runs: readonly Run[];
  readonly textsOf: (record: object | undefined) => Texts;
}

function writersOf(runs: readonly Run[], wanted: Wanted): Readonly<Record<LookupDataset, Writer>> {
  const { notation, prefix, language } = wanted;
  const read = fieldReaders(language);
  const hasIsp = wanted.fields.includes('isp');
  const writerOf = (dataset: LookupDataset): Writer => {
    const own = runs.filter((run) => run.dataset === dataset);
    if (dataset === 'asn' && hasIsp) own.push({ dataset, fields: ['org'] });
    const textsOf = (record: object | undefined): Texts => {
      const values = read[dataset](record);
      return own.map(({ fields }, i) => {
        if (fields[0] === 'isp' && values['isp'] === '') return undefined;
        const isReplacement = dataset === 'asn' && hasIsp && i === own.length - 1;
        const written = fields.map((name) =>
          notation.field(
            prefix + (isReplacement ? 'isp' : name),
            values[name] ?? (values[name] === null ? null : false),
          ),
        );
        return written.join(notation.separator);
      });
    };
    return { runs: own, textsOf };
  };
  return { geo: writerOf('geo'), asn: writerOf('asn'), isp: writerOf('isp') };
}
