import { CountPerKey } from '../count-per-key.js';
import { Failure } from '../failure.js';

/** Limits of bodies that have begun and have not arrived whole, per process (decision 61). */
export const UNDER_WAY = { perSource: 32, bytes: 64 * 1024 * 1024 } as const;

/** A body that takes part in the counts until `end`. */
export interface BodyUnderWay {
  /** Counts bytes of memory. Returns the failure when all bodies together exceed their limit. */
  grow(bytes: number): Failure | undefined;
  /** Leaves the counts. */
  end(): void;
}

/** Counts the bodies that are being received: their number per source, and their bytes in all. */
export class BodiesUnderWay {
  readonly #perSource = new CountPerKey();
  #bytes = 0;

  constructor(private readonly limits: { readonly perSource: number; readonly bytes: number } = UNDER_WAY) {}

  /** Counts a body of a source (decision 2). Returns the failure when the source has too many. */
  begin(source: string): BodyUnderWay | Failure {
    const { perSource } = this.limits;
    if (this.#perSource.of(source) >= perSource) return tooMany(perSource);
    this.#perSource.enter(source);
    let held = 0;
    return {
      grow: (bytes) => {
        held += bytes;
        this.#bytes += bytes;
        return this.#bytes > this.limits.bytes ? tooMuch() : undefined;
      },
      end: () => {
        this.#bytes -= held;
        this.#perSource.leave(source);
      },
    };
  }
}

const SOON = { headers: { 'Retry-After': '1' } };

function tooMany(perSource: number): Failure {
  return new Failure(429, `more than ${perSource} bodies are arriving from this address`, {}, SOON);
}

function tooMuch(): Failure {
  return new Failure(503, 'too many request bodies are arriving, try again later', {}, SOON);
}
