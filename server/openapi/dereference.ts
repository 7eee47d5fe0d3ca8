import type { Json } from './named-schemas.js';

/** Returns a copy of a document with its references to schemas replaced by the schemas. Throws for unknown ones. */
export function withoutReferences<Document>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Json } };
  return resolved(document, components?.schemas ?? {}) as Document;
}

const SCHEMAS = '#/components/schemas/';

/** Words next to a reference, such as a description, replace those of the schema. */
function resolved(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((part) => resolved(part, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Json;
  const parts = Object.fromEntries(Object.entries(own).map(([key, part]) => [key, resolved(part, schemas)]));
  if (typeof $ref !== 'string' || !$ref.startsWith(SCHEMAS))
    return $ref === undefined ? parts : { $ref, ...parts };
  const schema = schemas[$ref.slice(SCHEMAS.length)];
  if (schema === undefined) throw new Error(`no schema ${$ref}`);
  return { ...(resolved(schema, schemas) as Json), ...parts };
}
