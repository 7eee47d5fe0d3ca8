import { bar } from '../../../pipeline/html/charts.js';
import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import { fullNumber } from '../../../pipeline/text/figure-text.js';
import type { ReleaseStatus } from '../../release/release-status.js';
import type { StatusWords } from './words.js';

type Scorecard = NonNullable<ReleaseStatus['scorecard']>;

const LEVELS = ['country', 'region', 'cityId', 'within50Km'] as const;

/** Renders the scorecard of a release. */
export function accuracySection(scorecard: Scorecard, words: StatusWords): Markup {
  const { networks, operators, all, mean, reliability } = scorecard;
  const share = (value: number | undefined): string =>
    value === undefined ? '' : `${(value * 100).toFixed(1)} %`;
  const rows = LEVELS.map((level): Insert[] => [
    words.levels[level],
    share(all[level]),
    html`${bar((all[level] ?? 0) * 100, 100)}`,
    share(mean[level]),
  ]);
  const errors = reliability.flatMap(({ level, error }) =>
    error === undefined
      ? []
      : [html`<li>${words.calibration(words.confidence[level], error.toFixed(1))}</li>`],
  );
  return renderSection({
    id: 'accuracy',
    title: words.accuracy,
    body: html`<p>${words.accuracyNote(fullNumber(networks), fullNumber(operators))}</p>
      ${table({
        caption: words.byLevel,
        columns: [
          { name: words.level },
          { name: words.right, kind: 'figure' },
          { name: '0–100 %', kind: 'picture' },
          { name: words.mean, kind: 'figure' },
        ],
        rows,
      })}
      <ul>
        ${errors}
      </ul>`,
  });
}
