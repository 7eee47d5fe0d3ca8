/** Types of a value without parts, as the MaxMind DB format names them (spec 2.0, "Output Data Section"). */
export type ScalarType =
  'string' | 'double' | 'float' | 'bytes' | 'uint16' | 'uint32' | 'uint64' | 'uint128' | 'int32' | 'boolean';

/**
 * A map of known keys. Every key may be absent; present ones are written in the order of `fields`. A field may be a
 * getter: a map that contains itself is a field that gives the map it stands in.
 */
export interface MapSchema {
  readonly kind: 'map';
  readonly fields: Readonly<Record<string, Schema>>;
}

/** A map of any keys, written in the order of the value's own keys. */
export interface MapOfSchema {
  readonly kind: 'mapOf';
  readonly value: Schema;
}

export interface ArraySchema {
  readonly kind: 'array';
  readonly element: Schema;
}

/**
 * How a JavaScript value becomes an MMDB value. A number alone does not say whether it is a uint16, a uint32 or a
 * double; the schema does. uint64 and uint128 are bigint, bytes are Buffer, the other numbers are number.
 */
export type Schema = ScalarType | MapSchema | MapOfSchema | ArraySchema;

export function map(fields: Readonly<Record<string, Schema>>): MapSchema {
  return { kind: 'map', fields };
}

export function mapOf(value: Schema): MapOfSchema {
  return { kind: 'mapOf', value };
}

export function arrayOf(element: Schema): ArraySchema {
  return { kind: 'array', element };
}
