import { z } from 'zod';

/** A JSON object of OpenAPI 3.1 or JSON Schema 2020-12. */
export type Json = { readonly [key: string]: unknown };

/**
 * Converts schemas to JSON Schema. A schema with an `id` in its metadata becomes a component, to which all its uses
 * refer.
 */
export class NamedSchemas {
  readonly #components = new Map<string, Json>();

  /** Returns the named schemas of all answers so far, by name. */
  get components(): Json {
    const byName = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(byName);
  }

  /** Returns the schema of a body or of parameters. Unknown fields are refused where the route refuses them. */
  ofInput(schema: z.ZodType): Json {
    return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: trim }));
  }

  /** Returns the schema of an answer. Later versions may add fields, so unknown ones are allowed. */
  ofOutput(schema: z.ZodType): Json {
    const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override: open });
    const { $defs = {}, ...rest } = referring(withoutDialect(json)) as Json & { $defs?: Json };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition as Json);
    return rest;
  }

  #add(name: string, definition: Json): void {
    const known = this.#components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`two schemas have the name ${name}`);
    this.#components.set(name, definition);
  }
}

type Written = z.core.JSONSchema.BaseSchema;

/** Removes the bounds that every integer of JavaScript has. */
function trim({ jsonSchema }: { jsonSchema: Written }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function open(context: { jsonSchema: Written }): void {
  trim(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}

/** Omits `$schema`: the version of the document implies the dialect. */
function withoutDialect({ $schema: _, ...json }: Written): Json {
  return json;
}

/** Points references at the components of the document. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    key === '$ref' && typeof part === 'string'
      ? part.replace('#/$defs/', '#/components/schemas/')
      : referring(part),
  ]);
  return Object.fromEntries(entries) as unknown;
}
