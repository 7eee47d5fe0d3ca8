import type { SchemaElement } from 'hyparquet-writer';
import type { MmdbValue } from '../mmdb/decode.js';
import type { Column, ColumnType } from './columns.js';
import { ExportError } from './export-error.js';

/** A value of a cell; null is absent. */
export type ParquetCell = string | number | bigint | boolean | Uint8Array | readonly string[] | null;

/** The length of an address as bytes, in either family. */
export const ADDRESS_BYTES = 16;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const BYTES = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: ADDRESS_BYTES } as const;
const REQUIRED = { repetition_type: 'REQUIRED' } as const;
const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;

/** The columns before those of the dataset. `end` alone is a reserved word of SQL. */
const NETWORK_ELEMENTS: readonly SchemaElement[] = [
  { name: 'network', ...TEXT, ...REQUIRED },
  { name: 'ip_version', type: 'INT32', ...REQUIRED },
  { name: 'start_ip', ...TEXT, ...REQUIRED },
  { name: 'end_ip', ...TEXT, ...REQUIRED },
  { name: 'start_bytes', ...BYTES, ...REQUIRED },
  { name: 'end_bytes', ...BYTES, ...REQUIRED },
  { name: 'start_integer', type: 'INT64', ...OPTIONAL },
  { name: 'end_integer', type: 'INT64', ...OPTIONAL },
];

/** The names of the columns before those of the dataset. */
export const NETWORK_COLUMNS: readonly string[] = NETWORK_ELEMENTS.map(({ name }) => name);

/** Returns the schema of a file: the network, then the columns of its dataset. */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: NETWORK_ELEMENTS.length + columns.length },
    ...NETWORK_ELEMENTS,
    ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
  ];
}

/** A list has three levels (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists). */
function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  switch (type) {
    case 'text':
      return [{ name, ...TEXT, ...OPTIONAL }];
    case 'integer':
      return [{ name, type: 'INT64', ...OPTIONAL }];
    case 'decimal':
      return [{ name, type: 'DOUBLE', ...OPTIONAL }];
    case 'boolean':
      return [{ name, type: 'BOOLEAN', ...OPTIONAL }];
    case 'list':
      return [
        { name, converted_type: 'LIST', num_children: 1, ...OPTIONAL },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', ...TEXT, ...REQUIRED },
      ];
  }
}

/** Returns the cell of a field. Throws ExportError when the value is not of the type of the column. */
export function cellOf(value: MmdbValue | undefined, { name, type }: Column): ParquetCell {
  if (value === undefined) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'decimal' && typeof value === 'number') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'integer' && isInteger(value)) return BigInt(value);
  if (type === 'list' && isTexts(value)) return value;
  throw new ExportError(`${name} has the value ${shown(value)}: expected ${EXPECTED[type]}`);
}

const EXPECTED: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'an integer of at most 63 bits',
  decimal: 'a number',
  boolean: 'true or false',
  list: 'a list of texts',
};

function isInteger(value: MmdbValue): value is number | bigint {
  return Number.isSafeInteger(value) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value);
}

function isTexts(value: MmdbValue): value is readonly string[] & MmdbValue {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

function shown(value: MmdbValue): string {
  return typeof value === 'object' ? JSON.stringify(value).slice(0, 60) : JSON.stringify(String(value));
}
