import { z } from 'zod';
import { arrayOf, map, mapOf, type Schema, type ScalarType } from '../mmdb/schema.js';
import { ChangesError } from './changes-error.js';

const SCALARS = [
  'string',
  'double',
  'float',
  'bytes',
  'uint16',
  'uint32',
  'uint64',
  'uint128',
  'int32',
  'boolean',
] as const satisfies readonly ScalarType[];

/** A map's changed fields are the bits of one integer in a delta. */
const MAX_FIELDS = 48;

/** A type: a scalar, or the position of an earlier type in the list. */
const typeSchema = z.union([z.enum(SCALARS), z.int().nonnegative()]);

/**
 * A schema as a list of types, parts before wholes; the last one is the record's. Two uses of one schema refer to one
 * position, because the writer shares equal values of one schema only.
 */
export const schemaTextSchema = z
  .array(
    z.union([
      z.strictObject({ map: z.array(z.tuple([z.string(), typeSchema])).max(MAX_FIELDS) }),
      z.strictObject({ mapOf: typeSchema }),
      z.strictObject({ arrayOf: typeSchema }),
    ]),
  )
  .min(1)
  .max(100);
export type SchemaText = z.infer<typeof schemaTextSchema>;
type TypeText = z.infer<typeof typeSchema>;

/** Encodes a schema. Throws ChangesError when it contains itself. */
export function encodeSchema(schema: Schema): SchemaText {
  const list: SchemaText = [];
  const positions = new Map<Schema, number | typeof OPEN>();
  const add = (type: Schema): TypeText => {
    if (typeof type === 'string') return type;
    const known = positions.get(type);
    if (known === OPEN) throw new ChangesError('content', 'the schema of the records contains itself');
    if (known !== undefined) return known;
    positions.set(type, OPEN);
    if (type.kind === 'map')
      list.push({ map: Object.entries(type.fields).map(([name, field]) => [name, add(field)]) });
    else list.push(type.kind === 'mapOf' ? { mapOf: add(type.value) } : { arrayOf: add(type.element) });
    positions.set(type, list.length - 1);
    return list.length - 1;
  };
  add(schema);
  return list;
}

/** Marks a type whose parts are being encoded. */
const OPEN = Symbol('open');

/** Decodes a schema. Returns undefined when a type refers to a later one or to itself. */
export function decodeSchema(list: SchemaText): Schema | undefined {
  const made: Schema[] = [];
  const typeOf = (text: TypeText): Schema | undefined => (typeof text === 'string' ? text : made[text]);
  for (const text of list) {
    if ('map' in text) {
      const fields = text.map.map(([name, field]) => [name, typeOf(field)] as const);
      if (fields.some(([, field]) => field === undefined)) return undefined;
      made.push(map(Object.fromEntries(fields) as Record<string, Schema>));
      continue;
    }
    const inner = typeOf('mapOf' in text ? text.mapOf : text.arrayOf);
    if (inner === undefined) return undefined;
    made.push('mapOf' in text ? mapOf(inner) : arrayOf(inner));
  }
  return made.at(-1);
}
