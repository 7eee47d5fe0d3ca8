import { FAR_KM } from '../../merge/agreement-kinds.js';
import { agreementIn, type PairAgreement } from '../agreement.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import { classOfShare, scaleLegend, type Scale } from '../../html/scale.js';
import type { Section } from '../../html/section.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { percent } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

/** The disagreement of each pair of feeds on countries and cities; absent where it was not counted. */
export function feedPairs({ manifest }: ReportSubject): Section | undefined {
  const pairs = agreementIn(manifest.datasets)?.pairs ?? [];
  if (pairs.length === 0) return undefined;
  return {
    id: 'pairs',
    title: 'Disagreement of feeds',
    body: html`<p>
        Shares of the IPv4 addresses that both feeds locate. A cell has the addresses as a tooltip. Cities
        more than ${FAR_KM} km apart are different places; compared are addresses of which both feeds give the
        place of a city.
      </p>
      ${scaleLegend(SCALE, 'nothing in common')}
      <div class="matrices">
        ${matrix('Other country', pairs, ({ countries, otherCountry }) => [otherCountry, countries])}
        ${matrix(`Cities more than ${FAR_KM} km apart`, pairs, ({ cities, farCity }) => [farCity, cities])}
      </div>`,
  };
}

const SCALE: Scale = { colour: 'orange', bounds: [2, 5, 10, 20] };

type CountsOf = (pair: PairAgreement) => readonly [differing: number, both: number];

function matrix(caption: string, pairs: readonly PairAgreement[], countsOf: CountsOf): Markup {
  const compared = pairs.filter((pair) => countsOf(pair)[1] > 0);
  const names = [...new Set(compared.flatMap(({ feeds }) => feeds))].sort();
  if (names.length === 0) return NOTHING;
  return table({
    caption,
    columns: [{ name: 'Feed' }, ...names.map((name) => ({ name, kind: 'figure' as const }))],
    rows: names.map((one): Insert[] => [
      one,
      ...names.map((other): Insert => {
        const pair = compared.find(
          ({ feeds }) => one !== other && feeds.includes(one) && feeds.includes(other),
        );
        return pair && cell(pair, countsOf(pair));
      }),
    ]),
  });
}

function cell({ feeds }: PairAgreement, [differing, both]: readonly [number, number]): Markup {
  const found = `${feeds.join(' and ')}: ${figureText(differing)} of ${figureText(both)} addresses`;
  const text = differing === 0 ? '0 %' : percent(differing, both).replace('under ', '<');
  return html`<span class="heat ${classOfShare(SCALE, differing / both)}" title="${found}">${text}</span>`;
}
