import { newAddress, type Family } from '../../net/address.js';
import type { Rib } from '../rib.js';
import { pathsOf } from './inference.js';

/**
 * One route: its family, the number of its prefix within the family, and its path with the flags of `path-table.ts`.
 */
export interface SmallRoute {
  readonly family: Family;
  readonly prefix: number;
  readonly path: string;
  readonly flags?: number;
}

/** Returns a RIB of few routes. The peer is the first AS of the path; paths of equal text and flags are one path. */
export function smallRib(routes: readonly SmallRoute[]): Rib {
  const prefixes = numbered(routes.map(({ family, prefix }) => `${family} ${prefix}`).sort());
  const paths = numbered(routes.map(({ path, flags }) => `${flags ?? 0} ${path}`));
  const peers = numbered(routes.map(peerOf));
  const lines = [...paths.keys()];
  const byPrefix = [...prefixes.keys()].map((key) =>
    routes.filter(({ family, prefix }) => `${family} ${prefix}` === key),
  );
  let entries = 0;
  return {
    prefixes: {
      addresses: Uint32Array.from([...prefixes.keys()].flatMap((key) => [...addressOf(key)])),
      lengths: Uint8Array.from([...prefixes.keys()], (key) => (key.startsWith('4') ? 120 : 48)),
    },
    paths: {
      ...columnsOf(lines.map((line) => line.replace(/^\d+ /, ''))),
      flags: Uint8Array.from(lines, (line) => Number(line.split(' ')[0])),
    },
    peers: {
      addresses: new Uint32Array(peers.size * 4),
      families: new Uint8Array(peers.size).fill(4),
      asns: Uint32Array.from(peers.keys()),
      collectors: new Uint16Array(peers.size),
    },
    entries: {
      starts: Uint32Array.from([0, ...byPrefix.map((group) => (entries += group.length))]),
      peers: Uint16Array.from(byPrefix.flat(), (route) => peers.get(peerOf(route))!),
      paths: Uint32Array.from(byPrefix.flat(), ({ path, flags }) => paths.get(`${flags ?? 0} ${path}`)!),
    },
    collectors: { names: ['rrc00'], times: Float64Array.of(0) },
  };
}

function columnsOf(lines: readonly string[]): {
  offsets: Uint32Array<ArrayBuffer>;
  asns: Uint32Array<ArrayBuffer>;
} {
  const { offsets, asns } = pathsOf(lines);
  return { offsets: Uint32Array.from(offsets), asns: Uint32Array.from(asns) };
}

function numbered<Key>(keys: readonly Key[]): Map<Key, number> {
  return new Map([...new Set(keys)].map((key, number) => [key, number]));
}

function peerOf({ path }: SmallRoute): number {
  return Number(path.split(' ')[0]);
}

function addressOf(key: string): Uint32Array {
  const [family, prefix] = key.split(' ').map(Number);
  const address = newAddress();
  if (family === 4) address[3] = prefix! * 256;
  else address[0] = 0x20010000 + prefix!;
  return address;
}
