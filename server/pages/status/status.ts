import { html, type Markup } from '../../../pipeline/html/markup.js';
import { moment, percent } from '../../../pipeline/html/wording.js';
import type { Language } from '../../../pipeline/record/language.js';
import { page } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import type { Snapshot } from '../../release/snapshot.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { localised, renderPage } from '../layout.js';
import { accuracySection } from './accuracy-section.js';
import { changesSection } from './changes-section.js';
import { datasetsSection } from './datasets-section.js';
import { ageIn, figureIn } from './figures.js';
import { inputsSection } from './inputs-section.js';
import { REPORT_PATH } from './report.js';
import { STATUS_WORDS } from './words.js';

/** What the page is made from. */
export interface StatusParts {
  readonly assets: Assets;
  /** Whether visitors may read the report. */
  readonly hasReport: boolean;
}

/** GET /status: the release, its sources, its accuracy and what changed */
export const status = ({ assets, hasReport }: StatusParts): Route =>
  definePage({
    paths: ['/status'],
    name: 'statusPage',
    answer({ language, snapshot }) {
      const words = STATUS_WORDS[language];
      const { scorecard, changes, inputs } = snapshot.status;
      return page(
        renderPage(assets, {
          title: words.title,
          language,
          path: '/status',
          main: html`${summary(snapshot, hasReport, language)}
          ${scorecard && accuracySection(scorecard, words)}
          ${changes && changesSection(changes, assets.outlines, language)}
          ${datasetsSection(snapshot.datasets, words)} ${inputsSection(inputs, language)}`,
        }),
      );
    },
  });

function summary(
  { id, buildEpoch, status: { isSample, inputs, places } }: Snapshot,
  hasReport: boolean,
  language: Language,
): Markup {
  const words = STATUS_WORDS[language];
  const { tiles } = words;
  const rows = inputs.reduce((sum, input) => sum + input.rows, 0);
  const [city, region, country] = [places?.city, places?.region, places?.country].map(
    (one) => one?.ipv4Addresses ?? 0,
  ) as [number, number, number];
  const all = city + region + country;
  const age = ageIn(Math.max(0, Date.now() / 1000 - buildEpoch), language);
  const shown: [Markup | string, string][] = [
    [moment(buildEpoch), tiles.built],
    [html`${inputs.length}`, tiles.sources],
    [figureIn(rows, language), tiles.rows],
  ];
  if (all > 0) shown.push([percent(city + region, all), tiles.country], [percent(city, all), tiles.city]);
  return html`<section aria-labelledby="status">
    <p class="kicker">${id}</p>
    <h1 id="status">${words.title}</h1>
    <p class="lead">${words.lead(moment(buildEpoch), age)}</p>
    ${isSample && html`<p><span class="mark bad">${words.sample}</span></p>`}
    <ul class="tiles">
      ${shown.map(([value, name]) => html`<li><strong>${value}</strong>${name}</li>`)}
    </ul>
    <p>
      <a href="${localised('/docs', language)}">${words.docs}</a> ·
      <a href="/openapi.json">${words.openApi}</a>
      ${hasReport && html` · <a href="${REPORT_PATH}" hreflang="en">${words.report}</a>`}
    </p>
  </section> `;
}
