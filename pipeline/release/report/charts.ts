import { html, NOTHING, type Markup } from './markup.js';

/**
 * Pictures beside figures. Whatever they show stands in words next to them, so that they are hidden from readers of
 * screens; those that stand alone carry a label.
 */

/** A bar as long as its share of the longest one; a tick marks where it ended in the last release. */
export function bar(value: number, longest: number, before?: number): Markup {
  const end = (figure: number): string => fixed(longest > 0 ? (figure / longest) * 100 : 0);
  const tick = before === undefined || before === value ? NOTHING : lineAt(end(before));
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" rx="1" />
    <rect class="fill" width="${end(value)}" height="10" rx="1" />
    ${tick}
  </svg>`;
}

/** One part of a whole: what it is, how much, and one of the colours of the page (0..3). */
export interface Part {
  readonly name: string;
  readonly value: number;
  readonly colour: number;
}

/** Parts of a whole side by side, with a label that says it in words. */
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

/** A change around a middle line: to the right what was gained, to the left what was lost; `share` is -1..1. */
export function swing(share: number): Markup {
  const width = Math.min(1, Math.abs(share)) * 50;
  const x = share < 0 ? 50 - width : 50;
  const kind = share < 0 ? 'loss' : 'gain';
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" rx="1" />
    <rect class="${kind}" x="${fixed(x)}" width="${fixed(width)}" height="10" />
    ${lineAt('50')}
  </svg>`;
}

/** Names of the colours of a stack. */
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

/** Two digits are finer than any screen. */
function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}
