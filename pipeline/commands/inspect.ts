import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import { familyOf, formatAddress, IPV4_DEPTH, parseAddress, type Address } from '../net/address.js';
import { formatPrefix, maskInto } from '../net/prefix.js';
import type { Release } from '../release/release-store.js';
import { UsageError } from './usage-error.js';

/** What a dataset says about an address; `prefix` is the network that holds it. */
export interface Answer {
  readonly prefix: string;
  readonly record: unknown;
}

/** Everything a release knows about one address. Absent where there is no answer. */
export interface Inspection {
  readonly ip: string;
  readonly release: string;
  readonly geo: Answer | undefined;
  /** What each feed said, by id. */
  readonly feeds: Readonly<Record<string, Answer | undefined>>;
}

/** The address that a text stands for. Throws UsageError when it stands for none. */
export function requireAddress(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed) throw new UsageError(`"${text}" is not an IPv4 or IPv6 address`);
  return parsed.address;
}

/** Looks an address up in a release: the merged answer, and every feed's own. Throws what the reader throws. */
export function inspectAddress(address: Address, release: Release): Inspection {
  const lookUp = (name: string): Answer | undefined => answerOf(join(release.dir, name), address);
  const verdicts = release.manifest.files.filter(({ kind }) => kind === 'verdicts');
  return {
    ip: formatAddress(address, familyOf(address)),
    release: release.id,
    geo: lookUp('geo.mmdb'),
    feeds: Object.fromEntries(verdicts.map(({ name }) => [basename(name, '.mmdb'), lookUp(name)])),
  };
}

/** Only a few pages of the file are needed, but the reader wants all of it in memory. */
function answerOf(path: string, address: Address): Answer | undefined {
  const reader = new Reader<Response>(readFileSync(path));
  const family = familyOf(address);
  const [record, length] = reader.getWithPrefixLength(formatAddress(address, family));
  if (record === null) return undefined;
  const network = address.slice();
  const depth = family === 4 ? length + IPV4_DEPTH : length;
  maskInto(network, depth);
  return { prefix: formatPrefix(network, depth), record };
}
