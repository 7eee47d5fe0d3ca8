import { fixed } from './charts.js';
import { html, NOTHING, type Markup } from './markup.js';

/** One line of the chart. Values are shares (0..1), in the order of the times; absent ones are left out. */
export interface TrendLine {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

/** Draws up to four lines of shares over times (seconds since 1970), with a legend and grid lines every ten percent. */
export function trendChart(title: string, times: readonly number[], lines: readonly TrendLine[]): Markup {
  const shares = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  if (times.length < 2 || shares.length === 0) return NOTHING;
  const low = Math.min(Math.floor(Math.min(...shares) * 10 + ROUNDING), 9);
  const high = Math.max(Math.ceil(Math.max(...shares) * 10 - ROUNDING), low + 1);
  const [first, last] = [times[0]!, times.at(-1)!];
  const x = (time: number): string => fixed(((time - first) / (last - first)) * 100);
  const y = (share: number): string => fixed(((high - share * 10) / (high - low)) * 100);
  const grid = Array.from({ length: high - low }, (_, i) => y((low + 1 + i) / 10));
  return html`<figure>
    <figcaption>${title}, from ${low * 10} % at the bottom to ${high * 10} %</figcaption>
    ${legend(lines)}
    <svg class="trend" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${title}">
      ${grid.map((at) => html`<path class="grid" d="M0 ${at}H100" />`)}
      ${lines.map(({ values }, i) => {
        const points = values.flatMap((value, at) =>
          value === undefined ? [] : [`${x(times[at]!)} ${y(value)}`],
        );
        const line = html`<path class="line${i}" d="M${points.join('L')}" />`;
        const dots = html`<path class="line${i} dot" d="${points.map((at) => `M${at}h0`).join('')}" />`;
        return points.length === 0 ? NOTHING : html`${line}${dots}`;
      })}
    </svg>
  </figure> `;
}

function legend(lines: readonly TrendLine[]): Markup {
  return html`<ul class="legend">
    ${lines.map(
      ({ name }, i) =>
        html`<li>
          <svg viewBox="0 0 10 10" aria-hidden="true"><path class="line${i}" d="M0 5H10" /></svg>${name}
        </li>`,
    )}
  </ul>`;
}

/** Absorbs the rounding of floating-point numbers: 0.7 * 10 is above 7. */
const ROUNDING = 1e-9;
