/** Formats a number in full: `12,345,678`, at most two decimals. */
export function fullNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** Formats a whole number with commas between thousands. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** Formats a figure: below a million in full, from there with three digits and a unit, such as `12.3 M`. */
export function figureText(value: number): string {
  return Math.abs(value) < SHORT_FROM ? fullNumber(value) : inLargestUnit(value, UNITS);
}

const SHORT_FROM = 1e6;

type Unit = readonly [size: number, name: string];

/** Units of large figures. IPv6 global unicast has 2.31 quintillion /64s. */
const UNITS: readonly Unit[] = [
  [1e6, 'M'],
  [1e9, 'billion'],
  [1e12, 'trillion'],
  [1e15, 'quadrillion'],
  [1e18, 'quintillion'],
];

/** Formats a size in powers of ten, with three digits: `999 bytes`, `1.25 GB`. */
export function sizeText(bytes: number): string {
  if (Math.abs(bytes) < 1000) return `${fullNumber(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return inLargestUnit(bytes, SIZES);
}

const SIZES: readonly Unit[] = [
  [1e3, 'kB'],
  [1e6, 'MB'],
  [1e9, 'GB'],
  [1e12, 'TB'],
];

/** Formats a value with three digits in the first unit of which it has less than 1000, after rounding. */
function inLargestUnit(value: number, units: readonly Unit[]): string {
  const inUnit = (size: number): number => Number((value / size).toPrecision(3));
  const [size, name] = units.find(([size]) => Math.abs(inUnit(size)) < 1000) ?? units.at(-1)!;
  return `${inUnit(size)} ${name}`;
}

/** Formats an age with its greatest unit, rounded down: `5 min`, `30 h`, `12 days`. */
export function ageText(seconds: number): string {
  if (seconds < HOUR) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${fullNumber(Math.floor(seconds / DAY))} days`;
}

const HOUR = 3600;
const DAY = 86_400;

/** Returns the percentage points from one share (0..1) to another, with one decimal. */
export function pointsBetween(before: number, now: number): number {
  return Math.round((now - before) * 1000) / 10;
}
