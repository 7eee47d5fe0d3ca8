import { XMLParser } from 'fast-xml-parser';

/** An XML element: its children by name. A child is a text, an element, or a list of these. */
export type XmlNode = Readonly<Record<string, unknown>>;

/** Thrown when a file is not a registry as https://www.iana.org/protocols publishes them. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

/**
 * Returns the `<record>` elements of an IANA registry (XML, namespace http://www.iana.org/assignments), including
 * those of nested registries. Returns an empty list when the text is not a registry. Throws RegistryError when the
 * text cannot be parsed as XML.
 */
export function recordsOf(xml: string): XmlNode[] {
  try {
    return recordsIn(parser.parse(xml));
  } catch (error) {
    throw new RegistryError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Whether every `<registry>` is closed and the text ends after the last one. The XML parser alone accepts a truncated
 * file.
 */
export function isWholeRegistry(xml: string): boolean {
  const opened = xml.match(/<registry[\s>]/g)?.length ?? 0;
  const closed = xml.match(/<\/registry\s*>/g)?.length ?? 0;
  return opened > 0 && opened === closed && /<\/registry\s*>\s*$/.test(xml);
}

/** Returns the text of an element without its child elements. Runs of white space become one space. */
export function textOf(value: unknown): string {
  if (isNode(value)) return textOf(value['#text']);
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  isArray: (name) => name === 'record' || name === 'registry',
});

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the records of a registry and of the registries nested in it. */
function recordsIn(value: unknown): XmlNode[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isNode(value)) return [];
  const records = Array.isArray(value['record']) ? value['record'].filter(isNode) : [];
  return [...records, ...recordsIn(value['registry'])];
}
