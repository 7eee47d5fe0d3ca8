import { XMLParser } from 'fast-xml-parser';

/** An element with children: by name their text, their own children, or a list of either. */
export type XmlNode = Readonly<Record<string, unknown>>;

/** The registry file is not what https://www.iana.org/protocols publishes. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

/**
 * The `<record>` elements of an IANA registry (XML, namespace http://www.iana.org/assignments), those of the
 * registries nested in it included. None when the text is no such registry. Throws RegistryError where the text
 * cannot be read as XML.
 */
export function recordsOf(xml: string): XmlNode[] {
  try {
    return recordsIn(parser.parse(xml));
  } catch (error) {
    throw new RegistryError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Whether every registry that is opened is closed again, and nothing follows: the parser takes what was cut for whole. */
export function isWholeRegistry(xml: string): boolean {
  const opened = xml.match(/<registry[\s>]/g)?.length ?? 0;
  const closed = xml.match(/<\/registry\s*>/g)?.length ?? 0;
  return opened > 0 && opened === closed && /<\/registry\s*>\s*$/.test(xml);
}

/** The text of an element, its child elements left out, blanks joined. */
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

/** Every record of the registry and of the registries nested in it. */
function recordsIn(value: unknown): XmlNode[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isNode(value)) return [];
  const own = Array.isArray(value['record']) ? value['record'].filter(isNode) : [];
  return [...own, ...recordsIn(value['registry'])];
}
