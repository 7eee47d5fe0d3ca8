import type { Address } from '../../net/address.js';
import { formatPrefix, prefixFamily, type Prefix } from '../../net/prefix.js';
import type { Claim } from '../../input/claims/claim.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { isTooWide } from '../../input/claims/too-wide.js';
import { ForwardingSink } from './forwarding-sink.js';
import { REFERENCED, UNREFERENCED } from './layers.js';
import type { OwnBlocks } from './own-blocks.js';

/** A row that is only partly in blocks of the geofeed. `node` is its node in the table of blocks. */
interface DividedRow {
  readonly node: number;
  readonly address: Address;
  readonly length: number;
  readonly claimId: number;
}

/**
 * Divides the rows of a geofeed that registrations name (RFC 9632 §3): inside the blocks whose registration names it a
 * row is the operator's statement, elsewhere it is an observation, with a note. Rows wider than any operator's network
 * are rejected.
 */
export class OwnershipSink extends ForwardingSink {
  readonly #blocks: OwnBlocks;
  /** The observation by the id of the statement. Absent for a statement without a location. */
  readonly #observations = new Map<number, number>();
  /** By node, so that a row that is repeated is divided once. */
  readonly #divided = new Map<number, DividedRow>();

  constructor(sink: ClaimSink, blocks: OwnBlocks) {
    super(sink);
    this.#blocks = blocks;
  }

  override intern(claim: Claim): number {
    const id = this.sink.intern(claim);
    if (claim.country !== undefined) this.#observations.set(id, this.sink.intern(asObservation(claim)));
    return id;
  }

  override prefix(_layer: number, prefix: Prefix, claimId: number, position: number): boolean {
    const { address, length, family } = prefix;
    if (isTooWide(prefix)) {
      this.sink.reject('prefix-length', position, formatPrefix(address, length, family));
      return false;
    }
    if (this.#blocks.contain(prefix)) return this.sink.prefix(REFERENCED, prefix, claimId, position);
    const node = this.#blocks.nodeOf(prefix);
    if (node !== undefined && !this.#divided.has(node)) {
      this.#divided.set(node, { node, address: address.slice(), length, claimId });
    }
    if (!this.#observe(prefix, claimId, position)) return false;
    this.sink.note(node === undefined ? 'not-referenced' : 'partly-referenced');
    return true;
  }

  /**
   * Inserts the parts of divided rows inside the geofeed's blocks. Call it after the last row. Layers keep the first
   * record of a prefix, so the most specific rows come first.
   */
  end(): void {
    for (const row of [...this.#divided.values()].sort((a, b) => b.length - a.length)) {
      this.#blocks.forEachBelow(row, (address, length) => {
        this.sink.part(REFERENCED, { address, length, family: prefixFamily(address, length) }, row.claimId);
      });
    }
  }

  /** A request for no location (RFC 8805 §2.1.2) has no effect on networks of others. */
  #observe(prefix: Prefix, claimId: number, position: number): boolean {
    const observation = this.#observations.get(claimId);
    if (observation !== undefined) return this.sink.prefix(UNREFERENCED, prefix, observation, position);
    this.sink.accept();
    return true;
  }
}

function asObservation(claim: Claim): Claim {
  return Object.fromEntries(
    Object.entries(claim).filter(([field]) => field !== 'basis' && field !== 'statedBy'),
  );
}
