/** A moment in the calendar of the server's time zone (decision 4). */
export interface CalendarMoment {
  /** `YYYYMMDD` */
  readonly day: string;
  /** `YYYYMM` */
  readonly month: string;
  /** Start of the clock hour, Unix seconds. When clocks are set back, an hour repeats with another start. */
  readonly hour: number;
  /** Unix seconds. */
  readonly nextHour: number;
  /** Unix seconds. */
  readonly nextMidnight: number;
}

/** Computes days, months and clock hours of a time zone. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  readonly #now: () => number;
  #moment: CalendarMoment | undefined;
  #quarter = NaN;

  /** Throws RangeError unless `timeZone` is an IANA name. `now` returns milliseconds since 1970. */
  constructor(timeZone: string, now: () => number = Date.now) {
    this.#now = now;
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** Returns milliseconds since 1970. */
  now(): number {
    return this.#now();
  }

  /** Returns the current moment. */
  today(): CalendarMoment {
    // Every time zone in use is offset from UTC by whole quarter hours, and changes its clocks at one.
    const quarter = Math.floor(this.#now() / QUARTER_MS);
    if (quarter !== this.#quarter || this.#moment === undefined) {
      this.#moment = this.#read(quarter * QUARTER_MS);
      this.#quarter = quarter;
    }
    return this.#moment;
  }

  /** Returns the end of a day such as `2027-01-31`, in ms since 1970; undefined for text that is not a day. */
  endOf(date: string): number | undefined {
    const utcMs = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
    if (Number.isNaN(utcMs)) return undefined;
    const day = date.replaceAll('-', '');
    // At noon in UTC it is this day wherever the offset is below +12 hours; at midnight in UTC, everywhere else.
    const ms = [utcMs + DAY_MS / 2, utcMs].find((ms) => this.#local(ms).day === day);
    return ms === undefined ? undefined : this.#midnightAfter(ms, day) * 1000;
  }

  #read(ms: number): CalendarMoment {
    const { day, intoHour } = this.#local(ms);
    const hour = ms / 1000 - intoHour;
    return {
      day,
      month: day.slice(0, 6),
      hour,
      nextHour: hour + 3600,
      nextMidnight: this.#midnightAfter(ms, day),
    };
  }

  /** Returns the first quarter hour of a later day, by binary search. */
  #midnightAfter(ms: number, day: string): number {
    let low = 0;
    let high = LONGEST_DAY_QUARTERS;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#local(ms + middle * QUARTER_MS).day > day) high = middle;
      else low = middle;
    }
    return ms / 1000 + (high * QUARTER_MS) / 1000;
  }

  #local(ms: number): { day: string; intoHour: number } {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = value;
    return {
      day: `${part.year}${part.month}${part.day}`,
      intoHour: Number(part.minute) * 60 + Number(part.second),
    };
  }
}

/** Returns `count` days up to and including `day` (`YYYYMMDD`), as ISO dates in ascending order. */
export function daysUpTo(day: string, count: number): string[] {
  const last = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
}

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** 26 hours. The longest day has 25. */
const LONGEST_DAY_QUARTERS = 104;
