import { readPlain } from '../../input/containers/containers.js';
import { newAddress } from '../../net/address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import {
  readDelegationRows,
  type DelegationRecord,
  type DelegationVisitor,
} from '../../input/rows/delegation-rows.js';
import { readStatisticsDay } from '../../input/rows/statistics-day.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile } from '../../input/published-source.js';
import { DELEGATION, FREE, FREE_SPACE } from './layers.js';
import { NO_COUNTRY, RegistrationClaims } from './registrations.js';
import type { Reason } from '../../input/tally.js';

/**
 * Reads the statistics of the regional internet registries; see `readDelegationRows`. Allocated and assigned ipv4 and ipv6
 * records give countries of registration. Available and reserved ones give the claim that the space is not delegated
 * (note `not-delegated`), but only in files that are almost as new as the newest one: an old file does not know later
 * delegations.
 */
export async function readDelegations(
  files: readonly OpenFile[],
  sinkFor: (file: OpenFile) => ClaimSink,
): Promise<void> {
  const days = await Promise.all(files.map(readStatisticsDay));
  const newest = Math.max(...days.map((day) => day ?? -Infinity));
  for (const [i, file] of files.entries()) {
    const day = days[i];
    const claims = new DelegationClaims(sinkFor(file), {
      isRecent: day !== undefined && newest - day <= FREE_SPACE_DAYS,
    });
    await readDelegationRows(file, readPlain(file), claims);
  }
}

/** The number of days after which the statistics of a registry are too old to know which space is free. */
const FREE_SPACE_DAYS = 30;

class DelegationClaims implements DelegationVisitor {
  readonly #sink: ClaimSink;
  readonly #claims: RegistrationClaims;
  /** The claim id of space that is not delegated; undefined if the file is too old for it. */
  readonly #free: number | undefined;
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();

  constructor(sink: ClaimSink, { isRecent }: { readonly isRecent: boolean }) {
    this.#sink = sink;
    this.#claims = new RegistrationClaims(sink);
    this.#free = isRecent ? sink.intern(FREE_SPACE) : undefined;
  }

  record(record: DelegationRecord, line: number): Reason | undefined {
    const isAddress = record.type !== 'asn';
    if (isAddress && record.isDelegated) return this.#delegated(record, line);
    if (isAddress && this.#free !== undefined) {
      const refused = this.#insert(record, { layer: FREE, claimId: this.#free }, line);
      if (refused === undefined) this.#sink.note('not-delegated');
      return refused;
    }
    this.#sink.unknown();
    return undefined;
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.#sink.reject(reason, line, excerpt);
  }

  #delegated(record: DelegationRecord, line: number): Reason | undefined {
    const claimId = this.#claims.idOf(record.country);
    if (claimId === undefined) return 'country';
    if (claimId !== NO_COUNTRY) return this.#insert(record, { layer: DELEGATION, claimId }, line);
    this.#sink.unknown();
    return undefined;
  }

  #insert(record: DelegationRecord, { layer, claimId }: Insertion, line: number): Reason | undefined {
    const isIpv4 = record.type === 'ipv4';
    const refused = isIpv4 ? record.readIpv4(this.#start, this.#end) : record.readIpv6(this.#prefix);
    if (refused !== undefined) return refused;
    if (isIpv4) this.#sink.range(layer, this.#start, this.#end, claimId, line);
    else this.#sink.prefix(layer, this.#prefix, claimId, line);
    return undefined;
  }
}

/** A claim and the layer that it is inserted into. */
interface Insertion {
  readonly layer: number;
  readonly claimId: number;
}
