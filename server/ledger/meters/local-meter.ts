import { LRUCache } from 'lru-cache';
import type { Calendar } from '../calendar.js';
import { WIDER } from '../plans.js';
import type { Subject } from '../subject.js';
import { windowOf, type Admission, type Hold, type Refusal, type Window } from './meter.js';

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

/** A subject (level 0) or a network around it, with its limits. */
interface Level {
  readonly key: string;
  readonly perMinute: number;
  readonly perDay: number;
}

/** Applies the same limits in this process while Redis is unavailable (decision 10) or full (decision 70). */
export class LocalMeter {
  readonly #counts = new LRUCache<string, Counts>({ max: MOST_SUBJECTS });

  constructor(private readonly calendar: Calendar) {}

  /** Returns the window without counting a request. */
  peek(subject: Subject): Admission {
    return { window: this.#windowOf(subject, levelsOf(subject)) };
  }

  /** Counts a request of the minute only. A network counts it once the narrower ones have admitted it. */
  count(subject: Subject): Admission {
    const levels = levelsOf(subject);
    for (const [i, { key, perMinute }] of levels.entries()) {
      const counts = this.#countsOf(key);
      if (counts.requests++ === 0) counts.reset = this.calendar.now() + MINUTE_MS;
      if (counts.requests > perMinute)
        return { window: this.#windowOf(subject, levels.slice(0, i + 1)), refused: 'minute' };
    }
    return { window: this.#windowOf(subject, levels) };
  }

  /** Counts a request of the minute and of the day. Refuses a subject with credits. */
  take(subject: Subject): Admission {
    const counted = this.count(subject);
    return counted.refused ? counted : this.takeCounted(subject);
  }

  /** Counts a request of the day only, after `count`. Refuses a subject with credits. */
  takeCounted(subject: Subject): Admission {
    const { window } = this.peek(subject);
    const refused = this.#takeDay(subject);
    return refused === undefined ? { window } : { window, refused };
  }

  /** Takes over a minute's count in Redis. `msLeft` is the time to the end of the minute. */
  learn(
    subject: Subject,
    {
      level,
      requests,
      msLeft,
    }: { readonly level: number; readonly requests: number; readonly msLeft: number },
  ): void {
    const key = keyOf(subject, level === 0 ? subject.id : subject.wider![level - 1]!);
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
    const taken = levelsOf(subject).map(({ key }) => this.#countsOf(key));
    const { day } = this.calendar.today();
    let isOpen = true;
    return {
      settle: (succeeded) => {
        for (const counts of taken) if (isOpen && !succeeded && counts.day === day) counts.ofDay--;
        isOpen = false;
        return Promise.resolve();
      },
    };
  }

  #takeDay(subject: Subject): Refusal | undefined {
    if (subject.creditsPerMonth !== undefined) return 'unavailable';
    const levels = levelsOf(subject);
    if (levels.some(({ key, perDay }) => this.#countsOf(key).ofDay >= perDay)) return 'day';
    for (const { key } of levels) this.#countsOf(key).ofDay++;
    return undefined;
  }

  /** Returns the first used-up window of some levels, else the one with the fewest requests left. */
  #windowOf(subject: Subject, levels: readonly Level[]): Window {
    let [level, fewest] = [0, Infinity];
    for (const [i, { key, perMinute }] of levels.entries()) {
      const left = perMinute - this.#countsOf(key).requests;
      if (left < fewest && fewest >= 0) [level, fewest] = [i, left];
    }
    const { requests, reset } = this.#countsOf(levels[level]!.key);
    return windowOf(subject, { level, requests, reset: Math.ceil(reset / 1000) });
  }

  #countsOf(key: string): Counts {
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

/** Returns the levels of a subject, narrowest first. */
function levelsOf(subject: Subject): Level[] {
  const { id, wider = [], requestsPerMinute, requestsPerDay = Infinity } = subject;
  return [id, ...wider].map((id, level) => {
    const times = level === 0 ? 1 : WIDER[level - 1]!.times;
    return { key: keyOf(subject, id), perMinute: requestsPerMinute * times, perDay: requestsPerDay * times };
  });
}

function keyOf({ bucket }: Subject, id: string): string {
  return `${bucket}:${id}`;
}
