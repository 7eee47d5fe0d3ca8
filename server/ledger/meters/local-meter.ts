import { LRUCache } from 'lru-cache';
import type { Calendar } from '../calendar.js';
import type { Subject } from '../subject.js';
import type { Admission, Hold, Refusal } from './meter.js';

/** The number of subjects in memory. The least recently used one is dropped. */
const MOST_SUBJECTS = 50_000;
const MINUTE_MS = 60_000;

interface Counts {
  requests: number;
  /** End of the minute, ms since 1970. */
  reset: number;
  day: string;
  ofDay: number;
}

/** Applies the same limits in this process while Redis is unavailable (decision 10). Refuses subjects with credits. */
export class LocalMeter {
  readonly #counts = new LRUCache<string, Counts>({ max: MOST_SUBJECTS });

  constructor(private readonly calendar: Calendar) {}

  /** Returns the window without counting a request. */
  peek(subject: Subject): Admission {
    return admission(subject, this.#countsOf(subject));
  }

  /** Counts a request of the minute only. */
  count(subject: Subject): Admission {
    const counts = this.#countsOf(subject);
    if (counts.requests++ === 0) counts.reset = this.calendar.now() + MINUTE_MS;
    return admission(subject, counts, counts.requests > subject.requestsPerMinute ? 'minute' : undefined);
  }

  /** Counts a request of the minute and of the day. Refuses a subject with credits. */
  take(subject: Subject): Admission {
    const counted = this.count(subject);
    return counted.refused ? counted : this.takeCounted(subject);
  }

  /** Counts a request of the day only, after `count`. Refuses a subject with credits. */
  takeCounted(subject: Subject): Admission {
    const { window } = this.peek(subject);
    if (subject.creditsPerMonth !== undefined) return { window, refused: 'unavailable' };
    const counts = this.#countsOf(subject);
    if (subject.requestsPerDay !== undefined && counts.ofDay >= subject.requestsPerDay)
      return { window, refused: 'day' };
    counts.ofDay++;
    return { window };
  }

  /** Takes over the minute's count in Redis. `msLeft` is the time to the end of the minute. */
  learn(subject: Subject, requests: number, msLeft: number): void {
    const key = keyOf(subject);
    const now = this.calendar.now();
    const counts = this.#counts.get(key);
    if (counts === undefined) {
      this.#counts.set(key, { requests, reset: now + msLeft, day: '', ofDay: 0 });
    } else if (requests > counts.requests || now >= counts.reset) {
      counts.requests = requests;
      counts.reset = now + msLeft;
    }
  }

  /** Returns a hold of what `take` has just counted. */
  hold(subject: Subject): Hold {
    const counts = this.#countsOf(subject);
    const { day } = counts;
    let isOpen = true;
    return {
      settle: (succeeded) => {
        if (isOpen && !succeeded && counts.day === day) counts.ofDay--;
        isOpen = false;
        return Promise.resolve();
      },
    };
  }

  #countsOf(subject: Subject): Counts {
    const key = keyOf(subject);
    const now = this.calendar.now();
    const { day } = this.calendar.today();
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = { requests: 0, reset: now + MINUTE_MS, day, ofDay: 0 };
      this.#counts.set(key, counts);
    }
    if (now >= counts.reset || counts.requests === 0) {
      counts.requests = 0;
      counts.reset = now + MINUTE_MS;
    }
    if (counts.day !== day) {
      counts.day = day;
      counts.ofDay = 0;
    }
    return counts;
  }
}

function keyOf({ bucket, id }: Subject): string {
  return `${bucket}:${id}`;
}

function admission(
  { requestsPerMinute }: Subject,
  { requests, reset }: Counts,
  refused?: Refusal,
): Admission {
  const window = {
    limit: requestsPerMinute,
    remaining: Math.max(0, requestsPerMinute - requests),
    reset: Math.ceil(reset / 1000),
  };
  return refused === undefined ? { window } : { window, refused };
}
