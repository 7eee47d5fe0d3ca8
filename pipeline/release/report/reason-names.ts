import type { Note, Reason } from '../../input/tally.js';
import type { ManifestRefusal } from '../contract.js';

/** Returns the name for people of a reason to reject rows. */
export function reasonName(reason: string): string {
  return nameIn(REASON_NAMES, reason);
}

/** Returns the name for people of an oddity of accepted rows. */
export function noteName(note: string): string {
  return nameIn(NOTE_NAMES, note);
}

/** Returns the name for people of a reason to refuse a file. */
export function refusalName(refusal: ManifestRefusal['refusal']): string {
  return REFUSAL_NAMES[refusal];
}

function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? names[name]! : name;
}

const REASON_NAMES: Readonly<Record<Reason, string>> = {
  columns: 'wrong number of columns',
  quoting: 'bad quoting',
  encoding: 'bad encoding of the text',
  address: 'bad address or prefix',
  inverted: 'range ends before it starts',
  family: 'wrong address family',
  reserved: 'reserved space or AS number',
  country: 'bad country code',
  reference: 'unknown reference',
  pointer: 'bad pointer',
  'record-type': 'unknown type of record',
  'record-length': 'bad length of record',
  'peer-index': 'unknown peer',
  'prefix-length': 'bad prefix length',
  attribute: 'bad path attribute',
  asn: 'bad AS number',
  'max-length': 'bad maximum length',
  status: 'unknown status',
  date: 'bad date',
  json: 'bad JSON value',
  'text-length': 'text too long',
};

const NOTE_NAMES: Readonly<Record<Note, string>> = {
  unknown: 'names no place',
  mapped: 'IPv4-mapped address',
  'host-bits': 'bits set after the prefix',
  duplicate: 'duplicate row',
  conflict: 'contradicts an earlier row',
  coordinates: 'bad coordinates',
  clipped: 'reserved space cut off',
  'not-delegated': 'space that is not delegated',
  unresolved: 'unknown place name or region',
  'region-country': 'region of another country',
  'region-code': 'withdrawn or unknown region code',
  skipped: 'not needed',
  'not-referenced': 'outside of the blocks whose registration names the geofeed',
  'partly-referenced': 'partly outside of these blocks',
};

const REFUSAL_NAMES: Readonly<Record<ManifestRefusal['refusal'], string>> = {
  container: 'not the expected container',
  header: 'unknown columns',
  truncated: 'ends early',
  shrunk: 'far fewer rows than before',
  grown: 'far more rows than before',
  tolerance: 'too many rejected rows',
  missing: 'not found',
  stale: 'of another day than the other files',
  'too-wide': 'has too large a network',
  'too-large': 'too large',
  'too-deep': 'nested too deep',
  download: 'download failed',
  skipped: 'not downloaded: key not set',
};
