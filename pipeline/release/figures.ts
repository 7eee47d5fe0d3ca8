import { grouped } from './columns.js';

/** The outcome of a check, and what was found, in words. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly found: string;
}

/**
 * How far a figure may lie from the last release's: factors of it, both inclusive. What a feed or file adds that the
 * last release did not have does not count against `most`: after a poor night the next good one must come through.
 */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A figure of tonight and of the last release. */
export interface Figures {
  readonly name: string;
  readonly now: number;
  /** How much of `now` may be the doing of feeds and files that the last release did not have. */
  readonly added: number;
  readonly before: number;
  readonly bounds: Bounds;
}

/** Whether a figure is within bounds, in words. One that was 0 is held against nothing: no factor leads away from it. */
export function compareFigures({ name, now, added, before, bounds }: Figures): CheckOutcome {
  if (before === 0) return { passed: true, found: `${name} ${grouped(now)} (none in the last release)` };
  const passed = now >= before * bounds.least && now - added <= before * bounds.most;
  const news = added === 0 ? '' : `, ${grouped(added)} of it from what is new`;
  return { passed, found: `${name} ${grouped(now)} (${percent(now / before)} of ${grouped(before)}${news})` };
}

/** `95 % to 150 %`, `at least 80 %`. */
export function range({ least, most }: Bounds): string {
  return most === Infinity ? `at least ${percent(least)}` : `${percent(least)} to ${percent(most)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
