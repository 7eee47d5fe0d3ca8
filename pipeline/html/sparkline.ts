import { fixed } from './charts.js';
import { html, type Markup } from './markup.js';

/** The values of one figure in several releases, in the order of their times; absent values are left out. */
export interface Series {
  readonly name: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly (number | undefined)[];
  /** Formats a value for the axis. */
  readonly text: (value: number) => string;
}

/** Draws a line over times, with its lowest and highest value at the axis. Needs two values at different times. */
export function sparkline({ name, times, values, text }: Series): Markup {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const [first, last] = [times[0]!, times.at(-1)!];
  const x = (time: number): string => fixed(((time - first) / (last - first)) * 100);
  const y = (value: number): string => fixed(high === low ? 50 : ((high - value) / (high - low)) * 100);
  const points = values.flatMap((value, at) => (value === undefined ? [] : [`${x(times[at]!)} ${y(value)}`]));
  const label = `${name}: from ${text(low)} to ${text(high)}`;
  return html`<div class="spark">
    <svg class="trend" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${label}">
      <path class="grid" d="${high === low ? 'M0 50H100' : 'M0 0H100M0 100H100'}" />
      <path class="line" d="M${points.join('L')}" />
      <path class="line dot" d="${points.map((at) => `M${at}h0`).join('')}" />
    </svg>
    <small>${text(high)}</small>${high !== low && html`<small>${text(low)}</small>`}
  </div>`;
}
