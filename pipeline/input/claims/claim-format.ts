import { z } from 'zod';
import { arrayOf, map, type MapSchema, type Schema } from '../../mmdb/schema.js';

/** The type of a field: an MMDB type, a list of texts, or the texts that are allowed. */
export type FieldType = 'string' | 'strings' | 'uint16' | 'uint32' | 'double' | 'boolean' | readonly string[];

/** The fields of one kind of claims and their types, in writing order. */
export type FieldTypes<C> = Readonly<Record<keyof C & string, FieldType>>;

/** How claims of one kind are compared, written and checked. Everything is derived from one list of fields. */
export class ClaimFormat<C extends object> {
  /** The names of the fields, in writing order. */
  readonly fields: readonly (keyof C & string)[];
  /** The schema of a claim in an MMDB file: a map with the names of the fields. */
  readonly mmdbSchema: MapSchema;
  readonly #checks: ReadonlyMap<string, (value: unknown) => boolean>;
  readonly #zodSchema: z.ZodType<C>;

  constructor(
    /** The kind of source with such claims. Names and describes the files of `writeClaimTable`. */
    readonly source: { readonly kind: 'feed' | 'list' | 'source'; readonly databaseType: string },
    types: FieldTypes<C>,
  ) {
    const entries = Object.entries<FieldType>(types);
    this.fields = Object.keys(types) as (keyof C & string)[];
    this.mmdbSchema = map(Object.fromEntries(entries.map(([name, type]) => [name, mmdbTypeOf(type)])));
    this.#checks = new Map(entries.map(([name, type]) => [name, checkOf(type)]));
    const zodFields = Object.fromEntries(
      entries.map(([name, type]) => [name, zodTypeOf(type).exactOptional()]),
    );
    this.#zodSchema = z.strictObject(zodFields) as unknown as z.ZodType<C>;
  }

  /** Returns the record as a claim. Throws ZodError with the field when it is not a claim. */
  parse(record: unknown): C {
    return this.#zodSchema.parse(record);
  }

  /**
   * Returns the records themselves when all are claims. Throws ZodError with index and field when one is not. Checks
   * with `isClaim` first, which takes a fifth of the time of the Zod schema and copies nothing.
   */
  parseAll(records: readonly unknown[]): readonly C[] {
    const isClaim = (record: unknown): record is C => this.isClaim(record);
    return records.every(isClaim) ? records : z.array(this.#zodSchema).parse(records);
  }

  /** Whether a record has only fields of claims, each with a value of its type. */
  isClaim(record: unknown): record is C {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return false;
    const values = record as Readonly<Record<string, unknown>>;
    for (const field in values) {
      const check = this.#checks.get(field);
      if (check === undefined || !check(values[field])) return false;
    }
    return true;
  }
}

function mmdbTypeOf(type: FieldType): Schema {
  if (type === 'strings') return arrayOf('string');
  return typeof type === 'string' ? type : 'string';
}

function zodTypeOf(type: FieldType) {
  switch (type) {
    case 'string':
      return z.string();
    case 'strings':
      return z.array(z.string());
    case 'uint16':
    case 'uint32':
      return z.int();
    case 'double':
      return z.number();
    case 'boolean':
      return z.boolean();
    default:
      return z.enum(type);
  }
}

function checkOf(type: FieldType): (value: unknown) => boolean {
  switch (type) {
    case 'string':
      return isText;
    case 'strings':
      return (value) => Array.isArray(value) && value.every(isText);
    case 'uint16':
    case 'uint32':
      return Number.isSafeInteger;
    case 'double':
      return Number.isFinite;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    default:
      return (value) => typeof value === 'string' && type.includes(value);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
