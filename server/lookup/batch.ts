import { parseTarget, type Target, type TargetAddress } from '../targets/target.js';
import { byteText, bytesOf, type ByteText } from '../byte-text.js';
import { Failure } from '../failure.js';
import type { FailedEntry } from './ip-record-schema.js';
import { INVALID_TARGET, UNRESOLVED_TARGET } from './resolve-target.js';

/** One target of a batch. */
interface Sent {
  /** As sent. A value that is not a string is shown as JSON. */
  readonly text: string;
  readonly target: Target | undefined;
}

/** The targets of a batch, in the order they were sent. */
export type Batch = readonly Sent[];

/** Addresses by host name. Names that could not be resolved are missing. */
export type Addresses = ReadonlyMap<string, TargetAddress>;

/** For batches without host names. */
export const NO_ADDRESSES: Addresses = new Map();

/** Parses the targets of a batch. Throws Failure(400) for more than `limit` targets, valid or not (decision 21). */
export function parseBatch(ips: readonly unknown[], limit: number): Batch {
  if (ips.length > limit)
    throw new Failure(400, `batch of ${ips.length} exceeds the limit of ${limit} targets`);
  return ips.map((item) => {
    if (typeof item === 'string') return { text: item, target: parseTarget(item) };
    return { text: JSON.stringify(item), target: undefined };
  });
}

/** Returns the distinct host names of a batch. */
export function hostsOf(batch: Batch): string[] {
  return [...new Set(batch.flatMap(({ target }) => (target?.kind === 'host' ? [target.name] : [])))];
}

/** Returns the record of an address as JSON. */
type EncodeRecord = (address: TargetAddress) => ByteText;

/** Returns the entries in the order of the batch as JSON: records, or errors for targets without one. */
export function entriesOf(batch: Batch, addresses: Addresses, encode: EncodeRecord): ByteText {
  let text = '';
  for (const sent of batch) {
    const resolved = sent.target?.kind === 'host' ? addresses.get(sent.target.name) : undefined;
    text += `${text === '' ? '[' : ','}${entryOf(sent, resolved, encode)}`;
  }
  return `${text}]` as ByteText;
}

/**
 * Returns the entries in the order of the batch as NDJSON, in blocks of lines. Lines are not held back while a host is
 * resolved.
 */
export async function* linesOf(
  batch: Batch,
  addressOf: (host: string) => Promise<TargetAddress | undefined>,
  encode: EncodeRecord,
): AsyncGenerator<Buffer, void> {
  let block = '';
  for (const sent of batch) {
    const isHost = sent.target?.kind === 'host';
    if (block.length >= BLOCK_BYTES || (isHost && block !== '')) {
      yield bytesOf(block as ByteText);
      block = '';
    }
    block += `${entryOf(sent, isHost ? await addressOf(hostOf(sent)) : undefined, encode)}\n`;
  }
  yield bytesOf(block as ByteText);
}

const BLOCK_BYTES = 16_384;

function hostOf({ target }: Sent): string {
  return target?.kind === 'host' ? target.name : '';
}

/** Returns the entry of a target. `resolved` is the address of a host. */
function entryOf(
  { text, target }: Sent,
  resolved: TargetAddress | undefined,
  encode: EncodeRecord,
): ByteText {
  if (!target) return failed({ ip: text, error: INVALID_TARGET });
  const address = target.kind === 'address' ? target : resolved;
  return address ? encode(address) : failed({ ip: text, error: UNRESOLVED_TARGET });
}

function failed(entry: FailedEntry): ByteText {
  return byteText(JSON.stringify(entry));
}
