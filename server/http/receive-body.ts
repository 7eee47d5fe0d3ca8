import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '../failure.js';
import type { BodyUnderWay } from './bodies-under-way.js';

/** The slowest rate of a body: `bytes` in each interval of `intervalMs`, or the rest of the body (decision 61). */
export const SLOWEST_BODY = { bytes: 2048, intervalMs: 5000 } as const;

/**
 * The smallest pieces of a body, on average after the first `most`. A chunk of a byte costs the parser a hundred times as
 * much as a byte of a large chunk.
 */
const SMALLEST_PIECES = { most: 1024, bytes: 16 } as const;

/** How a body is received. */
export interface Reception {
  readonly limitBytes: number;
  /** Returns the failure of a body that exceeds the limit. */
  readonly tooLarge: () => Failure;
  readonly counted: BodyUnderWay;
  readonly slowest: { readonly bytes: number; readonly intervalMs: number };
}

/**
 * Receives the body of a request. Returns the failure when it is too large, too slow, or broken off. The rest of the
 * body is then unread.
 */
export async function receiveBody(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  reception: Reception,
): Promise<Buffer | Failure> {
  const { limitBytes, tooLarge, slowest } = reception;
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) return tooLarge();
  if (req.headers.expect !== undefined && !req.complete) res.writeContinue();
  const received = new Received(reception);
  return await new Promise((resolve) => {
    const stop = (result: Buffer | Failure): void => {
      clearInterval(clock);
      req.off('data', take).off('end', finish).off('close', breakOff);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      const failure = received.add(chunk);
      if (failure !== undefined) stop(failure);
    };
    const finish = (): void => {
      stop(received.bytes());
    };
    const breakOff = (): void => {
      stop(new Failure(400, 'the body broke off'));
    };
    const clock = setInterval(() => {
      if (received.sinceLast() < slowest.bytes) stop(tooSlow(slowest));
    }, slowest.intervalMs);
    // An error is followed by `close`.
    req.on('data', take).once('end', finish).once('close', breakOff).on('error', ignore);
  });
}

const ignore = (): void => undefined;

/** The bytes of a body so far, in one buffer: a caller may send a chunk for each byte. */
class Received {
  #buffer = Buffer.alloc(0);
  #length = 0;
  #pieces = 0;
  #seen = 0;

  constructor(private readonly reception: Reception) {}

  /** Appends a chunk. Returns the failure when a limit is exceeded. */
  add(chunk: Buffer): Failure | undefined {
    const { limitBytes, tooLarge } = this.reception;
    const length = this.#length + chunk.length;
    if (length > limitBytes) return tooLarge();
    if (++this.#pieces > SMALLEST_PIECES.most && length < this.#pieces * SMALLEST_PIECES.bytes)
      return tooSmall();
    if (length > this.#buffer.length) {
      const failure = this.#enlarge(Math.min(limitBytes, Math.max(length, this.#buffer.length * 2)));
      if (failure !== undefined) return failure;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
    return undefined;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Returns the number of bytes since the last call. */
  sinceLast(): number {
    const bytes = this.#length - this.#seen;
    this.#seen = this.#length;
    return bytes;
  }

  #enlarge(size: number): Failure | undefined {
    const failure = this.reception.counted.grow(size - this.#buffer.length);
    if (failure !== undefined) return failure;
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
    return undefined;
  }
}

function tooSmall(): Failure {
  const { most, bytes } = SMALLEST_PIECES;
  return new Failure(400, `the body has more than ${most} chunks with fewer than ${bytes} bytes on average`);
}

function tooSlow({ bytes, intervalMs }: Reception['slowest']): Failure {
  return new Failure(408, `the body arrived too slowly: less than ${bytes} bytes in ${intervalMs / 1000} s`);
}
