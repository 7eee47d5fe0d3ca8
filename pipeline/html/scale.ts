import { html, type Markup } from './markup.js';

/** Five classes of shares, from light to dark. */
export interface Scale {
  readonly colour: 'blue' | 'orange';
  /** The lower bounds of the classes 1 to 4 in percent. */
  readonly bounds: readonly [number, number, number, number];
}

/** Returns the style class of a share (0..1); that of land without data if it is undefined. */
export function classOfShare({ colour, bounds }: Scale, share: number | undefined): string {
  if (share === undefined) return 'unknown';
  return `${colour}${bounds.filter((bound) => share * 100 >= bound).length}`;
}

/** Draws the classes of a scale with their bounds. */
export function scaleLegend({ colour, bounds }: Scale, unknown: string): Markup {
  const names = bounds.map((bound, i) =>
    i === 3 ? `${bound} % and more` : `${bound} to ${bounds[i + 1]!} %`,
  );
  const entries = [`under ${bounds[0]} %`, ...names].map((name, i) => ({ name, of: `${colour}${i}` }));
  return html`<ul class="legend">
    ${[...entries, { name: unknown, of: 'unknown' }].map(
      ({ name, of }) =>
        html`<li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class="${of}" width="10" height="10" rx="2" /></svg
          >${name}
        </li>`,
    )}
  </ul>`;
}
