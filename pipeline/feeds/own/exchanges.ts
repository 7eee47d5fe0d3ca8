import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Claim } from '../../input/claims/claim.js';
import {
  fileOfKind,
  PEERINGDB_FOLDER,
  PEERINGDB_LICENCE,
  readObjects,
} from '../../input/peeringdb/object-files.js';
import { readObject, type ObjectKind } from '../../input/peeringdb/objects.js';
import type { OpenFile } from '../../input/published-source.js';
import { PrefixBuffer } from '../../net/prefix.js';
import type { BorrowedClaims } from '../feed.js';
import { placeOfExchange } from './exchange-place.js';
import { EXCHANGE } from './layers.js';

/** The kinds of PeeringDB's objects that locate the LANs of exchanges. */
export const EXCHANGE_KINDS = ['ix', 'ixlan', 'ixpfx'] as const satisfies readonly ObjectKind[];

/** The places of exchanges are PeeringDB's. Without them their LANs have the country of registration. */
export const EXCHANGE_CLAIMS: BorrowedClaims = {
  source: PEERINGDB_FOLDER,
  licence: PEERINGDB_LICENCE,
  without: (claim) => {
    if (claim.basis !== 'exchange') return claim;
    const { registeredCountry, isp, anycast } = claim;
    return {
      ...(registeredCountry !== undefined && { country: registeredCountry, registeredCountry }),
      ...(isp !== undefined && { isp }),
      ...(anycast !== undefined && { anycast }),
      basis: 'registration',
    };
  },
};

/** The prefix of a LAN, with the sink and the position of its row. */
interface LanPrefix {
  readonly prefix: string;
  readonly lan: number;
  readonly position: number;
  readonly sink: ClaimSink;
  /** The id of the file. */
  readonly file: string;
}

/**
 * Reads the places of the LANs of internet exchanges from PeeringDB. Exchanges and LANs themselves are rows without a
 * network, counted as `unknown`. The prefix of a LAN whose exchange is missing or has no country gets no claim (note
 * `unresolved`).
 */
export async function readExchanges(
  files: readonly OpenFile[],
  sinkFor: (file: OpenFile) => ClaimSink,
): Promise<void> {
  const exchanges = new Exchanges();
  for (const file of files) {
    const kinds = EXCHANGE_KINDS.filter((kind) => fileOfKind(kind, files) === file);
    if (kinds.length === 0) continue;
    const sink = sinkFor(file);
    await readObjects(file, kinds, (kind, value, position) => {
      exchanges.add(kind, value, { position, sink, file: file.id });
    });
  }
  exchanges.insert();
}

/** Joins prefixes with LANs, and LANs with exchanges. */
class Exchanges {
  readonly #placeById = new Map<number, Claim | undefined>();
  readonly #exchangeByLan = new Map<number, number>();
  readonly #prefixes: LanPrefix[] = [];

  add(kind: ObjectKind, value: unknown, at: Pick<LanPrefix, 'position' | 'sink' | 'file'>): void {
    const { position, sink, file } = at;
    if (kind === 'ixpfx') {
      const prefix = objectOf('ixpfx', value, at);
      if (prefix) this.#prefixes.push({ prefix: prefix.prefix, lan: prefix.ixlan_id, position, sink, file });
      return;
    }
    const exchange = kind === 'ix' ? objectOf('ix', value, at) : undefined;
    const lan = kind === 'ixlan' ? objectOf('ixlan', value, at) : undefined;
    if (exchange ?? lan) sink.unknown();
    if (exchange) this.#placeById.set(exchange.id, placeOfExchange(exchange));
    if (lan) this.#exchangeByLan.set(lan.id, lan.ix_id);
  }

  insert(): void {
    const buffer = new PrefixBuffer();
    for (const { prefix, lan, position, sink, file } of this.#prefixes) {
      const place = this.#placeById.get(this.#exchangeByLan.get(lan) ?? NaN);
      if (place && buffer.parse(prefix)) {
        sink.prefix(EXCHANGE, buffer, sink.intern({ ...place, statedBy: file }), position);
      } else {
        sink.unknown();
        sink.note('unresolved');
      }
    }
  }
}

/** Reads an object. Counts it if it is not used: rejected as `json`, or accepted with the note `skipped`. */
function objectOf<Kind extends ObjectKind>(
  kind: Kind,
  value: unknown,
  { position, sink }: { readonly position: number; readonly sink: ClaimSink },
) {
  const read = readObject(kind, value);
  if ('object' in read) return read.object;
  if ('excerpt' in read) {
    sink.reject('json', position, read.excerpt);
  } else {
    sink.unknown();
    sink.note('skipped');
  }
  return undefined;
}
