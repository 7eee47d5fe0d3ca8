import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element with children: by name their text, their own children, or a list of either. */
export type XmlNode = Readonly<Record<string, unknown>>;

/**
 * The `<record>` elements of an IANA registry (XML, namespace http://www.iana.org/assignments), those of the
 * registries nested in it included. None when the text is no such registry.
 */
export function recordsOf(xml: string): XmlNode[] {
  return recordsIn(parser.parse(xml));
}

/** What keeps a text from being well-formed XML, in words: cut short, no XML at all. Absent when it is well-formed. */
export function xmlFault(xml: string): string | undefined {
  const found = XMLValidator.validate(xml);
  return found === true ? undefined : `line ${found.err.line}: ${found.err.msg}`;
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
