import { grouped } from '../text/figure-text.js';

/** The outcome of a check, with the finding as text. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly found: string;
}

/**
 * The allowed range of a figure as factors of the last release's, both inclusive. Additions from new feeds and files do
 * not count towards `most`, so a good night after a poor one passes.
 */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A figure of the candidate and of the last release. */
export interface Figures {
  readonly name: string;
  readonly now: number;
  /** The part of `now` that may come from feeds and files that the last release did not have. */
  readonly added: number;
  readonly before: number;
  readonly bounds: Bounds;
}

/** Compares a figure with its bounds. A figure that was 0 always passes, because no factor applies to it. */
export function compareFigures({ name, now, added, before, bounds }: Figures): CheckOutcome {
  if (before === 0) return { passed: true, found: `${name} ${grouped(now)} (none in the last release)` };
  const passed = now >= before * bounds.least && now - added <= before * bounds.most;
  const news = added === 0 ? '' : `, ${grouped(added)} of it from new feeds or files`;
  return { passed, found: `${name} ${grouped(now)} (${percent(now / before)} of ${grouped(before)}${news})` };
}

/** Formats bounds: `95 % to 150 %`, `at least 80 %`. */
export function range({ least, most }: Bounds): string {
  return most === Infinity ? `at least ${percent(least)}` : `${percent(least)} to ${percent(most)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
