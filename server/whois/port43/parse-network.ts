import type { RecordFields } from '../whois-record.js';
import { holds, parseAddressRange, sizeOf, type AddressRange } from './address-range.js';
import { parseDate, type DateHabits } from './parse-date.js';
import type { Field } from './split-fields.js';
import { codesOfStatusLines } from './status-lines.js';

/** The address range or AS to find a record for. */
export type NetworkTarget =
  { readonly kind: 'ip'; readonly range: AddressRange } | { readonly kind: 'asn'; readonly asn: number };

/**
 * Reads the record of the smallest network around the addresses, or of the AS. Absent if the text has none. A network
 * of all addresses or a placeholder for another RIR does not count.
 */
export function parseNetwork(
  fields: readonly Field[],
  target: NetworkTarget,
  habits: DateHabits & { readonly rir?: string },
): RecordFields | undefined {
  const [resource] = resourcesIn(fields)
    .map((resource) => ({ resource, size: sizeAround(resource, target) }))
    .filter((candidate) => candidate.size !== undefined && !isPlaceholder(candidate.resource))
    .sort((a, b) => (a.size! < b.size! ? -1 : a.size! > b.size! ? 1 : 0));
  return resource && recordOf(resource.resource, habits);
}

/** Returns whether the record only says that another RIR is responsible. */
export function namesOtherRir(fields: readonly Field[]): boolean {
  return fields.some(({ label, value }) => label === 'netname' && OTHER_RIR.test(value));
}

/** Returns whether the text contains only the RIR's root object, or the block that contains an unassigned AS. */
export function namesPoolOnly(fields: readonly Field[], kind: NetworkTarget['kind']): boolean {
  if (kind === 'asn') return hasLabel(fields, 'as-block') && !hasLabel(fields, 'as-name');
  return fields.some(({ label, value }) => label === 'netname' && ROOT.test(value));
}

function hasLabel(fields: readonly Field[], wanted: string): boolean {
  return fields.some(({ label }) => label === wanted);
}

const OTHER_RIR = /^(?:non-ripe-ncc-managed-address-block|erx-netblock|iana-netblock)/i;
/** Names of the objects for all addresses. */
const ROOT = /^(?:iana-blk|root)$/i;

/** A network or AS with the fields after it, such as its organisation. */
interface Resource {
  readonly key: Field;
  readonly fields: readonly Field[];
}

const IP_KEYS: ReadonlySet<string> = new Set([
  'netrange',
  'inetnum',
  'inet6num',
  'ipv4 address',
  'ipv6 address',
  'network number',
]);
const ASN_KEYS: ReadonlySet<string> = new Set(['aut-num', 'asnumber', 'as number']);
/** Keys of other objects in a reply, which have dates of their own. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['route', 'route6', 'as-block', 'as-set']);

function resourcesIn(fields: readonly Field[]): readonly Resource[] {
  const resources: { key: Field; fields: Field[] }[] = [];
  for (const field of fields) {
    const isKey = IP_KEYS.has(field.label) || ASN_KEYS.has(field.label) || OTHER_KEYS.has(field.label);
    if (isKey) resources.push({ key: field, fields: [] });
    resources.at(-1)?.fields.push(field);
  }
  return resources;
}

/** Returns the resource's size. Absent if it does not contain the target or covers all addresses. */
function sizeAround({ key }: Resource, target: NetworkTarget): bigint | undefined {
  if (target.kind === 'asn') return ASN_KEYS.has(key.label) ? asnsAround(key.value, target.asn) : undefined;
  if (!IP_KEYS.has(key.label)) return undefined;
  const range = parseAddressRange(key.value);
  if (!range || !holds(range, target.range)) return undefined;
  const size = sizeOf(range);
  return size === 1n << (range.version === 4 ? 32n : 128n) ? undefined : size;
}

/** Parses `AS64500`, `64500` or `64500 - 64510` and returns the size of the range around the AS. */
function asnsAround(text: string, asn: number): bigint | undefined {
  const match = /^(?:AS)?(?<first>\d{1,10})(?:\s?-\s?(?:AS)?(?<last>\d{1,10}))?(?!\d)/i.exec(text);
  if (!match?.groups) return undefined;
  const first = Number(match.groups['first']);
  const last = Number(match.groups['last'] ?? first);
  return first <= asn && asn <= last ? BigInt(last - first + 1) : undefined;
}

function isPlaceholder({ fields }: Resource): boolean {
  return fields.some(
    ({ label, value }) => label === 'netname' && (OTHER_RIR.test(value) || ROOT.test(value)),
  );
}

function recordOf(resource: Resource, habits: DateHabits & { readonly rir?: string }): RecordFields {
  const own = resource.fields.filter(({ paragraph }) => paragraph === resource.key.paragraph);
  const valuesOf = (labels: readonly string[]): readonly string[] =>
    own.filter(({ label }) => labels.includes(label)).map(({ value }) => value);
  const dateOf = (labels: readonly string[]): string =>
    valuesOf(labels)
      .map((text) => parseDate(text, habits))
      .find((date) => date !== '') ?? '';
  return {
    registrar: rirIn(resource.fields) ?? habits.rir ?? '',
    creation_date: dateOf(['regdate', 'created', 'registration date', 'assigned date']),
    expiry_date: '',
    updated_date: dateOf(['updated', 'last-modified', 'changed', 'last update', 'last updated date']),
    nameservers: [],
    status: codesOfStatusLines(valuesOf(['status', 'nettype']).slice(0, 10)),
    registrant: holderOf(resource.fields),
    dnssec: '',
  };
}

const HOLDER_LABELS = [
  'custname',
  'orgname',
  'org-name',
  'owner',
  'organization name',
  'organization',
  'descr',
  'netname',
  'as-name',
  'asname',
];

function holderOf(fields: readonly Field[]): string {
  for (const wanted of HOLDER_LABELS) {
    const field = fields.find(({ label }) => label === wanted);
    if (field) return field.value;
  }
  return '';
}

/** Returns the RIR that an ARIN placeholder record names as its organisation. */
function rirIn(fields: readonly Field[]): string | undefined {
  const id = fields.find(({ label }) => label === 'orgid')?.value.toUpperCase();
  return RIR_IDS.find((rir) => rir === id);
}

const RIR_IDS = ['RIPE', 'APNIC', 'LACNIC', 'AFRINIC'];
