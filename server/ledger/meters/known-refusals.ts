import { LRUCache } from 'lru-cache';
import type { Subject } from '../subject.js';
import type { Admission } from './meter.js';

/** The number of subjects in memory. The least recently used one is dropped. */
const MOST_SUBJECTS = 50_000;

/** How long before the window an entry ends: the reply from Redis with the time left may have been late. */
const MARGIN_MS = 1000;

interface Refused {
  readonly admission: Admission;
  /** On the clock of `performance.now()`. */
  readonly untilMs: number;
}

/**
 * Subjects whose minute is used up. Until the window ends, all their calls are refused with the same answer: counting
 * them would change nothing that a caller can see. A refusal by a network around the caller is not kept, because the
 * caller's own count still grows.
 */
export class KnownRefusals {
  readonly #refused = new LRUCache<string, Refused>({ max: MOST_SUBJECTS });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Remembers an admission if its minute is used up. `msLeft` is the time to the end of the minute. */
  learn(subject: Subject, admission: Admission, msLeft: number): void {
    if (admission.refused !== 'minute' || admission.window.network !== undefined) return;
    this.#refused.set(keyOf(subject), { admission, untilMs: this.now() + msLeft - MARGIN_MS });
  }

  /** Returns the refusal of a subject, or undefined when Redis must decide. */
  of(subject: Subject): Admission | undefined {
    if (this.#refused.size === 0) return undefined;
    const key = keyOf(subject);
    const refused = this.#refused.get(key);
    if (refused === undefined || this.now() < refused.untilMs) return refused?.admission;
    this.#refused.delete(key);
    return undefined;
  }
}

/** The limit is a part: a changed plan may admit the account. */
function keyOf({ bucket, id, requestsPerMinute }: Subject): string {
  return `${bucket}:${requestsPerMinute}:${id}`;
}
