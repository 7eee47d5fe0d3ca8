import { html, type Markup } from './markup.js';

/** Five classes of shares, from light to dark. */
export interface Scale {
  readonly colour: 'blue' | 'orange';
  /** The lower bounds of the classes 1 to 4 in percent. */
  readonly bounds: readonly [number, number, number, number];
}

/** The words of a legend. Bounds are in percent. */
export interface ScaleWords {
  readonly below: (bound: number) => string;
  readonly between: (lower: number, upper: number) => string;
  readonly from: (bound: number) => string;
}

/** The words in English. */
export const ENGLISH_SCALE: ScaleWords = {
  below: (bound) => `under ${bound} %`,
  between: (lower, upper) => `${lower} to ${upper} %`,
  from: (bound) => `${bound} % and more`,
};

/** Returns the style class of a share (0..1); that of land without data if it is undefined. */
export function classOfShare({ colour, bounds }: Scale, share: number | undefined): string {
  if (share === undefined) return 'unknown';
  return `${colour}${bounds.filter((bound) => share * 100 >= bound).length}`;
}

/** Draws the classes of a scale with their bounds. The words are English by default. */
export function scaleLegend({ colour, bounds }: Scale, unknown: string, words = ENGLISH_SCALE): Markup {
  const names = bounds.map((bound, i) =>
    i === 3 ? words.from(bound) : words.between(bound, bounds[i + 1]!),
  );
  const entries = [words.below(bounds[0]), ...names].map((name, i) => ({ name, of: `${colour}${i}` }));
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
