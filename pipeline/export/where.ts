import type { MmdbValue } from '../mmdb/decode.js';
import { AS_VALUES, FieldReader, type FieldPath } from '../mmdb/field-reader.js';
import type { Dataset } from './dataset.js';
import type { DatasetKind } from './columns.js';
import { ExportError } from './export-error.js';

/** The properties that an export can be filtered by. */
export type FilterKey = 'country' | 'as' | 'cloud' | 'proxy';

/** A condition: the network has one of the values. */
export interface Condition {
  readonly key: FilterKey;
  /** In upper case. `*` stands for any value. */
  readonly values: ReadonlySet<string>;
}

/** Parses `country=CN,HK`, `as=AS13335,4134`, `cloud=*` or `proxy=VPN`. Throws ExportError. */
export function parseCondition(text: string): Condition {
  const at = text.indexOf('=');
  const key = text.slice(0, at);
  const values = text
    .slice(at + 1)
    .split(',')
    .map((value) => value.trim().toUpperCase());
  if (at < 0 || !isKey(key) || values.includes(''))
    throw new ExportError(
      `invalid filter "${text}": expected country=CN,HK, as=AS13335, cloud=Google or proxy=VPN; * is any value`,
    );
  return { key, values: new Set(key === 'as' ? values.map(asNumber) : values) };
}

/** Where each property is in a dataset. */
export const PATHS: Readonly<Record<FilterKey, Partial<Record<DatasetKind, FieldPath>>>> = {
  country: { geo: ['country', 'iso_code'], verdict: ['country'] },
  as: { asn: ['autonomous_system_number'], isp: ['autonomous_system_number'], routes: ['origin'] },
  cloud: { isp: ['cloud', 'provider'] },
  proxy: { isp: ['proxy', 'type'] },
};

/** The properties, in the order of the help. */
export const FILTER_KEYS = Object.keys(PATHS) as readonly FilterKey[];

/** Returns a function that tells whether the record at an offset meets a condition. */
export function matcherOf(dataset: Dataset, { key, values }: Condition): (offset: number) => boolean {
  const path = PATHS[key][dataset.kind];
  if (!path) throw new ExportError(`${dataset.path} has no ${key}`);
  const fields = new FieldReader(dataset.layout, [path], AS_VALUES);
  const any = values.has('*');
  const met = new Map<MmdbValue, boolean>();
  let last = -1;
  let result = false;
  return (offset) => {
    if (offset === last) return result;
    last = offset;
    fields.read(offset);
    const value = fields.values[0];
    if (value === undefined) return (result = false);
    if (any) return (result = true);
    let known = met.get(value);
    if (known === undefined) met.set(value, (known = values.has(textOf(value).toUpperCase())));
    return (result = known);
  };
}

/** Returns the file, beside a dataset, that decides a property. Returns undefined if the dataset has it itself. */
export function deciderOf({ kind }: Dataset, key: FilterKey): string | undefined {
  return PATHS[key][kind] ? undefined : DECIDERS[key];
}

const DECIDERS: Readonly<Record<FilterKey, string>> = {
  country: 'geo.mmdb',
  as: 'asn.mmdb',
  cloud: 'isp.mmdb',
  proxy: 'isp.mmdb',
};

function textOf(value: MmdbValue): string {
  return typeof value === 'object' ? '' : String(value);
}

function isKey(text: string): text is FilterKey {
  return Object.hasOwn(PATHS, text);
}

function asNumber(text: string): string {
  if (text === '*') return text;
  const number = /^(?:AS)?(\d{1,10})$/.exec(text)?.[1];
  if (number === undefined || Number(number) > 0xffffffff)
    throw new ExportError(`invalid AS number "${text}": expected AS13335 or 13335`);
  return String(Number(number));
}
