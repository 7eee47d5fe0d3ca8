import { formatAddress, type Family } from '../../net/address.js';
import { formatPrefix } from '../../net/prefix.js';
import { PATH_ENDS_IN_SET, PATH_HAS_CONFEDERATION, PATH_HAS_NO_ORIGIN, PATH_HAS_SET } from '../path-table.js';
import type { Rib } from '../rib.js';

/** Prints the entries of a RIB in their order: `peer|AS|prefix|path|flags`. */
export function ribLines({ prefixes, paths, peers, entries }: Rib): string[] {
  const pathTexts = Array.from(paths.flags, (flags, i) => {
    return `${paths.asns.slice(paths.offsets[i], paths.offsets[i + 1]).join(' ')}|${flags}`;
  });
  const peerTexts = Array.from(peers.asns, (asn, i) => {
    const address = peers.addresses.slice(4 * i, 4 * i + 4);
    return `${formatAddress(address, peers.families[i] as Family)}|${asn}`;
  });
  return Array.from(prefixes.lengths).flatMap((length, i) => {
    const prefix = formatPrefix(prefixes.addresses.slice(4 * i, 4 * i + 4), length);
    return Array.from({ length: entries.starts[i + 1]! - entries.starts[i]! }, (_, row) => {
      const at = entries.starts[i]! + row;
      return `${peerTexts[entries.peers[at]!]!}|${prefix}|${pathTexts[entries.paths[at]!]!}`;
    });
  });
}

/** Converts a path as printed by bgpdump to the form of a path table: `AS numbers|flags`. */
export function normalPath(text: string): string {
  const segments = (text.match(/\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|\d+/g) ?? []).map((segment) => {
    return { kind: segment[0]!, asns: segment.match(/\d+/g) ?? [] };
  });
  let flags = 0;
  const asns = segments.flatMap(({ kind, asns: held }) => (/\d/.test(kind) ? held : []));
  if (segments.some(({ kind }) => kind === '{')) flags |= PATH_HAS_SET;
  if (segments.some(({ kind }) => kind === '(' || kind === '[')) flags |= PATH_HAS_CONFEDERATION;
  const last = segments.filter(({ kind }) => kind !== '(' && kind !== '[').at(-1);
  if (last?.kind === '{') {
    flags |= PATH_ENDS_IN_SET;
    if (new Set(last.asns).size === 1) asns.push(last.asns[0]!);
    else flags |= PATH_HAS_NO_ORIGIN;
  }
  if (asns.length === 0) flags |= PATH_HAS_NO_ORIGIN;
  return `${asns.join(' ')}|${flags}`;
}
