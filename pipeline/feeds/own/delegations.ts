import { newAddress } from '../../net/address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import {
  readDelegationRows,
  type DelegationRecord,
  type DelegationVisitor,
} from '../../input/rows/delegation-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile } from '../../input/published-source.js';
import { DELEGATION } from './layers.js';
import { NO_COUNTRY, RegistrationClaims } from './registrations.js';
import type { Reason } from '../../input/tally.js';

/**
 * Reads countries of registration from the statistics of a regional internet registry; see `readDelegationRows`. Only
 * allocated and assigned ipv4 and ipv6 records give claims.
 */
export async function readDelegations(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  await readDelegationRows(file, bytes, new DelegationClaims(sink));
}

class DelegationClaims implements DelegationVisitor {
  readonly #sink: ClaimSink;
  readonly #claims: RegistrationClaims;
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();

  constructor(sink: ClaimSink) {
    this.#sink = sink;
    this.#claims = new RegistrationClaims(sink);
  }

  record(record: DelegationRecord, line: number): Reason | undefined {
    const hasClaim = record.isDelegated && record.type !== 'asn';
    const claimId = hasClaim ? this.#claims.idOf(record.country) : NO_COUNTRY;
    if (claimId === undefined) return 'country';
    if (claimId === NO_COUNTRY) {
      this.#sink.unknown();
      return undefined;
    }
    return record.type === 'ipv4' ? this.#ipv4(record, claimId, line) : this.#ipv6(record, claimId, line);
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.#sink.reject(reason, line, excerpt);
  }

  #ipv4(record: DelegationRecord, claimId: number, line: number): Reason | undefined {
    const refused = record.readIpv4(this.#start, this.#end);
    if (refused === undefined) this.#sink.range(DELEGATION, this.#start, this.#end, claimId, line);
    return refused;
  }

  #ipv6(record: DelegationRecord, claimId: number, line: number): Reason | undefined {
    const refused = record.readIpv6(this.#prefix);
    if (refused === undefined) this.#sink.prefix(DELEGATION, this.#prefix, claimId, line);
    return refused;
  }
}
