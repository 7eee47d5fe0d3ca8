import type { RecordFields } from '../whois-record.js';
import { parseDomainName, parseHostName } from '../../targets/host-name.js';
import { UpstreamError } from '../../upstream-error.js';
import { isRedacted } from '../redaction.js';
import { partOf, REGISTRANT_LABELS, type DomainPart } from './domain-labels.js';
import { parseDate, type DateHabits } from './parse-date.js';
import { codesOfStatusLines } from './status-lines.js';
import type { Field } from './split-fields.js';

/**
 * Reads the record of a domain. Absent if the text has no registrar, date, name server or status. Throws UpstreamError
 * if it is about another domain.
 */
export function parseDomain(
  fields: readonly Field[],
  name: string,
  habits: DateHabits,
): RecordFields | undefined {
  const found = collect(fields);
  requireSameName(found.first('name'), name);
  const dateOf = (part: DomainPart): string =>
    found
      .all(part)
      .map((text) => parseDate(text, habits))
      .find((date) => date !== '') ?? '';
  const record: RecordFields = {
    registrar: registrarName(found.first('registrar')),
    creation_date: dateOf('created'),
    expiry_date: dateOf('expires'),
    updated_date: dateOf('updated'),
    nameservers: nameServers(found.all('nameserver')),
    status: codesOfStatusLines(found.all('status')),
    registrant: registrantOf(fields),
    dnssec: dnssecOf(found),
  };
  return isRecord(record) ? record : undefined;
}

/** Values by what they contain, in the order of the text. */
interface Collected {
  first(part: DomainPart): string | undefined;
  all(part: DomainPart): readonly string[];
}

/** Ignores paragraphs about people and sets of servers, except for name servers and keys. */
function collect(fields: readonly Field[]): Collected {
  const values = new Map<DomainPart, string[]>();
  const others = paragraphsOfOthers(fields);
  for (const { label, section, value, paragraph } of fields) {
    const part = partOf(label, section);
    if (part === undefined || (others.has(paragraph) && part !== 'nameserver' && part !== 'key')) continue;
    const list = values.get(part) ?? [];
    if (list.length < MAX_VALUES) list.push(value);
    values.set(part, list);
  }
  const all = (part: DomainPart): readonly string[] => values.get(part) ?? [];
  return { all, first: (part) => all(part)[0] };
}

/** Limit of values per part. No real domain has this many. */
const MAX_VALUES = 100;

/** First labels of paragraphs about a person, a set of name servers or a set of keys. */
const HANDLE_LABELS: ReadonlySet<string> = new Set([
  'nic-hdl',
  'nic-hdl-br',
  'contact',
  'person',
  'role',
  'personname',
  'nsset',
  'keyset',
  'handle',
]);

function paragraphsOfOthers(fields: readonly Field[]): ReadonlySet<number> {
  const others = new Set<number>();
  let paragraph = -1;
  for (const field of fields) {
    if (field.paragraph === paragraph) continue;
    paragraph = field.paragraph;
    if (field.section === '' && HANDLE_LABELS.has(field.label)) others.add(paragraph);
  }
  return others;
}

/** Compares names in any spelling. Ignores text that is not a domain name. */
function requireSameName(written: string | undefined, name: string): void {
  if (written === undefined) return;
  const parsed = parseDomainName(written.split(/[\s(]/, 1)[0]!);
  if (parsed === undefined || parsed === name) return;
  throw new UpstreamError('malformed', `expected a record for ${name}, received one for ${parsed}`);
}

/** Removes a trailing tag or URL: `Example Ltd [Tag = EXAMPLE]`, `Example(http://www.example.kr)`. */
function registrarName(text: string | undefined): string {
  if (text === undefined) return '';
  const ends = ['[Tag', '(http'].map((mark) => text.indexOf(mark)).filter((at) => at > 0);
  return text.slice(0, Math.min(text.length, ...ends)).trim();
}

/** Returns the host names without glue addresses. */
function nameServers(values: readonly string[]): readonly string[] {
  const words = values.map((value) => value.split(/[\s,(]/, 1)[0]!);
  const names = words.map((word) => parseHostName(word)).filter((name) => name !== undefined);
  return [...new Set(names)];
}

function dnssecOf(found: Collected): string {
  for (const value of found.all('dnssec')) {
    const said = value.toLowerCase();
    if (/^(?:un-?signed|no\b|none|inactive|disabled|false)/.test(said)) return 'unsigned';
    if (/^(?:signed|yes\b|active|enabled|true)/.test(said)) return 'signedDelegation';
  }
  return found.all('key').length > 0 ? 'signedDelegation' : '';
}

/** Returns the holder, or `''` if it is redacted. */
function registrantOf(fields: readonly Field[]): string {
  for (const wanted of REGISTRANT_LABELS) {
    const field = fields.find(
      ({ label, section }) => (section === '' ? label : `${section}/${label}`) === wanted,
    );
    if (!field) continue;
    const named = nameBehind(field.value, fields);
    return isRedacted(named) ? '' : named;
  }
  return '';
}

/** Returns the holder's name. If the value is a handle, the name is in the handle's paragraph. */
function nameBehind(value: string, fields: readonly Field[]): string {
  const handle = fields.find((field) => field.value === value && HANDLE_LABELS.has(field.label));
  if (!handle) return value;
  const person = fields.filter((field) => field.paragraph === handle.paragraph && field !== handle);
  const name = NAME_LABELS.map((wanted) => person.find(({ label }) => label === wanted)?.value);
  return name.find((text) => text !== undefined) ?? '';
}

const NAME_LABELS = ['organization', 'org', 'org-name', 'contact', 'name', 'personname', 'person', 'role'];

/** Returns whether the fields are more than what servers print for a free domain. */
function isRecord(record: RecordFields): boolean {
  return (
    record.registrar !== '' ||
    record.creation_date !== '' ||
    record.expiry_date !== '' ||
    record.nameservers.length > 0 ||
    record.status.length > 0
  );
}
