import { ACCURACY_SHARES, kmText, scorecardIn, shareText } from '../accuracy.js';
import type { Scorecard, ScorecardShares } from '../scorecard.js';
import { bar } from '../../html/charts.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import type { Section } from '../../html/section.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { changeOfShare, counted, figure } from '../../html/wording.js';

/** The scorecard: shares of right answers, and the reliability of confidences; absent without one. */
export function accuracy({ manifest, last }: ReportSubject): Section | undefined {
  const scorecard = scorecardIn(manifest.datasets);
  if (!scorecard) return undefined;
  const before = scorecardIn(last?.datasets);
  return {
    id: 'accuracy',
    title: 'Accuracy',
    body: html`<p>
        ${counted(scorecard.networks, 'network')} of ${counted(scorecard.operators, 'operator')} that state
        their places, answered without these statements and compared with
        them.${before && html` The last release had ${sizeOf(before)}.`}
      </p>
      ${shares(scorecard, before)}${reliability(scorecard)}`,
  };
}

function sizeOf({ networks, operators }: Scorecard): string {
  return `${counted(networks, 'network')} of ${counted(operators, 'operator')}`;
}

const SHARES = [
  ...ACCURACY_SHARES.slice(0, 3),
  ['cityName', 'city by name'],
  ACCURACY_SHARES[3],
  ['withinRadius', 'within the radius'],
  ['answered', 'any country'],
] as const satisfies readonly (readonly [keyof ScorecardShares, string])[];

/** Right answers over all networks and as a mean over the operators. */
function shares({ all, mean }: Scorecard, before: Scorecard | undefined): Markup {
  const shown = SHARES.filter(([key]) => all[key] !== undefined);
  const changes = (kind: 'all' | 'mean', now: ScorecardShares, key: keyof ScorecardShares): Insert[] =>
    before ? [changeOfShare(now[key], before[kind][key])] : [];
  const changeColumn = before ? [{ name: 'Change', kind: 'figure' as const }] : [];
  return table({
    caption: 'Right answers',
    columns: [
      { name: 'Level' },
      { name: 'Chart', kind: 'picture' },
      { name: 'All networks', kind: 'figure' },
      ...changeColumn,
      { name: 'Mean over operators', kind: 'figure' },
      ...changeColumn,
    ],
    rows: [
      ...shown.map(([key, name]): Insert[] => [
        name,
        bar(all[key] ?? 0, 1, before?.all[key]),
        textOf(all[key]),
        ...changes('all', all, key),
        textOf(mean[key]),
        ...changes('mean', mean, key),
      ]),
      ...medianRow(all.medianKm, before),
    ],
  });
}

/** The median distance over all networks; no row without one. */
function medianRow(now: number | undefined, before: Scorecard | undefined): Insert[][] {
  if (now === undefined) return [];
  const last = before?.all.medianKm;
  const changes = before ? [last !== undefined && `${kmText(last)} before`, '', ''] : [''];
  return [['median distance', '', kmText(now), ...changes]];
}

/** A table for each level with answers. */
function reliability({ reliability: levels }: Scorecard): Markup {
  const shown = levels.filter(({ rows }) => rows.length > 0);
  if (shown.length === 0) return NOTHING;
  return html`<h3>Reliability of the confidence</h3>
    <p>
      Bars are the shares of right answers, ticks the mean confidence. An operator counts as the square root
      of its networks, at most 30. The calibration error is the mean difference.
    </p>
    <div class="groups">${shown.map(reliabilityTable)}</div> `;
}

function reliabilityTable({ level, rows, error, errorOfNetworks }: Scorecard['reliability'][number]): Markup {
  const errors = [
    error === undefined ? '' : `: calibration error ${error.toFixed(1)} points`,
    errorOfNetworks === undefined ? '' : ` (${errorOfNetworks.toFixed(1)} over networks)`,
  ];
  return table({
    caption: `${level}${errors.join('')}`,
    columns: [
      { name: 'Confidence' },
      { name: 'Chart', kind: 'picture' },
      { name: 'Networks', kind: 'figure' },
      { name: 'Says', kind: 'figure' },
      { name: 'Right', kind: 'figure' },
    ],
    rows: rows.map(({ from, networks, says, right }) => [
      `${from}–${from === 90 ? 100 : from + 9} %`,
      bar(right, 100, says),
      figure(networks),
      shareText(says / 100),
      shareText(right / 100),
    ]),
  });
}

function textOf(share: number | undefined): string {
  return share === undefined ? '' : shareText(share);
}
