/** A JSON value. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a copy of an OpenAPI document that allows only the documented fields. The document itself allows others,
 * which later versions may add.
 */
export function closedSchemas<Document>(document: Document): Document {
  return closed(document) as Document;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, ...own } = value as Json;
  const parts = Object.fromEntries(Object.entries(own).map(([key, part]) => [key, closed(part)]));
  // The parts of `allOf` know some fields each; the schemas that they refer to are closed.
  if (allOf !== undefined) return { ...parts, allOf };
  const isOpen =
    own['type'] === 'object' && own['properties'] !== undefined && !('additionalProperties' in own);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}
