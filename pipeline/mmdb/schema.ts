/** The scalar types of the MaxMind DB format (specification 2.0, "Output Data Section"). */
export type ScalarType =
  'string' | 'double' | 'float' | 'bytes' | 'uint16' | 'uint32' | 'uint64' | 'uint128' | 'int32' | 'boolean';

/**
 * A map with known keys. Every key is optional. Keys are written in the order of `fields`. A field may be a getter, for
 * a schema that contains itself.
 */
export interface MapSchema {
  readonly kind: 'map';
  readonly fields: Readonly<Record<string, Schema>>;
}

/** A map with arbitrary keys, written in the key order of the value. */
export interface MapOfSchema {
  readonly kind: 'mapOf';
  readonly value: Schema;
}

/** An array of elements of one schema. */
export interface ArraySchema {
  readonly kind: 'array';
  readonly element: Schema;
}

/**
 * The type of an MMDB value. A JavaScript number alone could be a uint16, a uint32 or a double. uint64 and uint128 are
 * written from bigint, bytes from Buffer, other numbers from number.
 */
export type Schema = ScalarType | MapSchema | MapOfSchema | ArraySchema;

/** Creates the schema of a map with known keys. */
export function map(fields: Readonly<Record<string, Schema>>): MapSchema {
  return { kind: 'map', fields };
}

/** Creates the schema of a map with arbitrary keys. */
export function mapOf(value: Schema): MapOfSchema {
  return { kind: 'mapOf', value };
}

/** Creates the schema of an array. */
export function arrayOf(element: Schema): ArraySchema {
  return { kind: 'array', element };
}
