/** Where a moment lies in the calendar of the server's time zone (ruling 4). */
export interface CalendarMoment {
  /** `YYYYMMDD` */
  readonly day: string;
  /** `YYYYMM` */
  readonly month: string;
  /** When the clock hour began, Unix seconds: the two hours of one name on a day in autumn are not the same. */
  readonly hour: number;
  /** Unix seconds. */
  readonly nextHour: number;
  /** Unix seconds. */
  readonly nextMidnight: number;
}

/** Days, months and clock hours of a time zone. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  readonly #now: () => number;
  #moment: CalendarMoment | undefined;
  #quarter = NaN;

  /** `timeZone` is an IANA name, else RangeError; `now` gives milliseconds since 1970. */
  constructor(timeZone: string, now: () => number = Date.now) {
    this.#now = now;
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#now();
  }

  /** The moment that is now. */
  today(): CalendarMoment {
    // Every zone in use is a whole number of quarter hours off UTC, and changes its clocks at one.
    const quarter = Math.floor(this.#now() / QUARTER_MS);
    if (quarter !== this.#quarter || this.#moment === undefined) {
      this.#moment = this.#read(quarter * QUARTER_MS);
      this.#quarter = quarter;
    }
    return this.#moment;
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

  /** The first quarter of an hour that belongs to a later day. */
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

/** The days up to one, that one last, as ISO dates. */
export function daysUpTo(day: string, count: number): string[] {
  const last = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
}

const QUARTER_MS = 900_000;
/** 26 hours: clocks are set back by one at most. */
const LONGEST_DAY_QUARTERS = 104;
