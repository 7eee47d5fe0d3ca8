/** The parts of JSON Schema (2020-12) that the schemas of the routes use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** One field of an answer. */
export interface FieldRow {
  /** Dotted path; `[]` marks the elements of a list: `bgp.peers[].asn`. */
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** Returns the fields of a schema in order. Fields of several alternatives appear once. */
export function rowsOf(schema: Schema, path = ''): FieldRow[] {
  const alternatives = alternativesOf(schema);
  if (alternatives.length !== 1) return merged(alternatives.flatMap((one) => rowsOf(one, path)));
  const [only = schema] = alternatives;
  if (only.items !== undefined) return rowsOf(only.items, `${path}[]`);
  const required = new Set(only.required ?? []);
  return Object.entries(only.properties ?? {}).flatMap(([key, field]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const type = required.has(key) ? typeOf(field) : `${typeOf(field)}, optional`;
    return [{ name, type, description: field.description ?? '' }, ...rowsOf(field, name)];
  });
}

/** Returns a type as people write it: `string or null`, `integer[]`, `4 or 6`. */
export function typeOf(schema: Schema): string {
  const { anyOf, oneOf } = schema;
  const options = anyOf ?? oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.items !== undefined) return listOf(typeOf(schema.items));
  if (typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function listOf(type: string): string {
  return type.includes(' or ') ? `(${type})[]` : `${type}[]`;
}

function alternativesOf({ anyOf, oneOf, ...schema }: Schema): readonly Schema[] {
  return (anyOf ?? oneOf ?? [schema]).filter(({ type }) => type !== 'null');
}

/** Joins rows of one name: types by `or`, the first description. A field that some alternatives lack is optional. */
function merged(rows: readonly FieldRow[]): FieldRow[] {
  const byName = new Map<string, FieldRow>();
  for (const row of rows) {
    const known = byName.get(row.name);
    byName.set(
      row.name,
      known === undefined || known.type === row.type ? (known ?? row) : joined(known, row),
    );
  }
  return [...byName.values()];
}

function joined(a: FieldRow, b: FieldRow): FieldRow {
  return {
    name: a.name,
    type: [...new Set([...a.type.split(' or '), ...b.type.split(' or ')])].join(' or '),
    description: a.description === '' ? b.description : a.description,
  };
}
