import { html, NOTHING, type Markup } from './markup.js';

/**
 * Charts beside figures. A chart with its figure next to it is hidden from screen readers; a chart without one has a
 * label.
 */

/** Draws a bar relative to the longest one. A tick marks the value in the last release. */
export function bar(value: number, longest: number, before?: number): Markup {
  const end = (figure: number): string => fixed(longest > 0 ? (figure / longest) * 100 : 0);
  const tick = before === undefined || before === value ? NOTHING : lineAt(end(before));
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" rx="1" />
    <rect class="fill" width="${end(value)}" height="10" rx="1" />
    ${tick}
  </svg>`;
}

/** One part of a whole. `colour` is 0..3. */
export interface Part {
  readonly name: string;
  readonly value: number;
  readonly colour: number;
}

/** Draws parts of a whole side by side, with a label for screen readers. */
export function stack(parts: readonly Part[], label: string): Markup {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let left = 0;
  const rects = parts.map(({ value, colour }) => {
    const width = whole > 0 ? (value / whole) * 100 : 0;
    const rect = html`<rect class="part${colour}" x="${fixed(left)}" width="${fixed(width)}" height="10" />`;
    left += width;
    return rect;
  });
  return html`<svg
    class="bar stack"
    viewBox="0 0 100 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${rects}
  </svg>`;
}

/** Draws the legend of a stack. */
export function legend(parts: readonly Pick<Part, 'name' | 'colour'>[]): Markup {
  return html`<ul class="legend">
    ${parts.map(
      ({ name, colour }) =>
        html`<li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class="part${colour}" width="10" height="10" rx="2" /></svg
          >${name}
        </li>`,
    )}
  </ul>`;
}

function lineAt(x: string): Markup {
  return html`<line class="tick" x1="${x}" x2="${x}" y1="0" y2="10" />`;
}

/** Formats a coordinate. Two decimals are finer than any screen. */
export function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}
