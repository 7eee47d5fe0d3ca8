import { DEFAULT_FIELDS, LOOKUP_FIELDS } from '../lookup/fields.js';
import { CsvInput } from '../lookup/csv-input.js';
import { TextInput, type LineInput } from '../lookup/line-input.js';
import { NdjsonInput } from '../lookup/ndjson-input.js';
import { LOOKUP_FORMATS, type LookupFormat } from '../lookup/notation.js';
import type { Language } from '../record/language.js';
import { UsageError } from './usage-error.js';

/** Options of `ipatlas lookup` as they were given. */
export interface LookupFlags {
  readonly input?: string;
  readonly column?: string;
  readonly field?: string;
  readonly fields?: string;
  readonly format?: string;
  readonly lang?: string;
  readonly prefix?: string;
  readonly output?: string;
}

/** The options of a lookup. */
export interface LookupOptions {
  readonly input: LineInput;
  readonly fields: readonly string[];
  /** The names of the added fields. */
  readonly names: readonly string[];
  readonly format: LookupFormat;
  readonly language: Language;
  readonly prefix: string;
}

/** Returns the options of a lookup. `format` is used when the flags name none. Throws UsageError for invalid ones. */
export function lookupOptions(flags: LookupFlags, format: LookupFormat): LookupOptions {
  const { column, field, lang = 'en', prefix = '' } = flags;
  if (column !== undefined && field !== undefined)
    throw new UsageError('--column is for CSV and --field for NDJSON: use one of them');
  if (column === '')
    throw new UsageError('invalid --column "": expected the name of a column or its number from 1');
  if (lang !== 'en' && lang !== 'zh') throw new UsageError(`invalid --lang "${lang}": expected en or zh`);
  const fields = fieldsOf(flags.fields);
  const names = fields.map((name) => prefix + name);
  const input = inputOf(flags, names);
  const natural = input.kind === 'text' ? format : input.kind;
  return { input, fields, names, format: formatOf(flags.format, natural), language: lang, prefix };
}

function inputOf({ column, field }: LookupFlags, names: readonly string[]): LineInput {
  if (column !== undefined) return new CsvInput(column);
  return field === undefined ? new TextInput() : new NdjsonInput(field, names);
}

function fieldsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return DEFAULT_FIELDS;
  const fields = [...new Set(text.split(','))];
  const unknown = fields.find((name) => !LOOKUP_FIELDS.has(name));
  if (unknown === undefined) return fields;
  throw new UsageError(
    `unknown name "${unknown}" in --fields: expected some of ${[...LOOKUP_FIELDS.keys()].join(', ')}, comma-separated`,
  );
}

function formatOf(text: string | undefined, natural: LookupFormat): LookupFormat {
  if (text === undefined) return natural;
  const format = LOOKUP_FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  throw new UsageError(`invalid --format "${text}": expected ${LOOKUP_FORMATS.join(', ')}`);
}
