import { ACCURACY_SHARES, scorecardIn, shareText } from '../accuracy.js';
import type { Manifest } from '../contract.js';
import { ownFiles } from '../own-files.js';
import { totalOfChanges, type PlaceChanges } from '../place-changes.js';
import { html, NOTHING, type Markup } from '../../html/markup.js';
import { folded, type Section } from '../../html/section.js';
import { sparkline, type Series } from '../../html/sparkline.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { duration } from '../../text/duration.js';
import { day, moment, percent } from '../../html/wording.js';
import { figureText, sizeText } from '../../text/figure-text.js';

/** The figures of the kept releases, each with its own small chart. */
export function trend({ manifest, trend: releases = [manifest] }: ReportSubject): Section {
  const times = releases.map(({ buildEpoch }) => buildEpoch);
  const body =
    releases.length < 2
      ? html`<p>No comparable earlier release is kept: the trend begins with the next one.</p> `
      : html`<p>
            ${figureText(releases.length)} kept releases, from ${day(times[0]!)} to ${day(times.at(-1)!)}.
            Each chart goes from its lowest to its highest value.
          </p>
          ${charts(releases, times)}`;
  return { id: 'trend', title: 'Trend', body };
}

/** A figure of a release; absent in releases that do not have it. */
interface Figure {
  readonly name: string;
  readonly of: (release: Manifest) => number | undefined;
  readonly text: (value: number) => string;
}

function charts(releases: readonly Manifest[], times: readonly number[]): Markup {
  const all = figures(releases.at(-1)!).map((one): Series => {
    return { name: one.name, times, text: one.text, values: releases.map(one.of) };
  });
  const known = all.filter(({ values }) => values.some((value) => value !== undefined));
  return html`<div class="panels">${known.map(panel)}</div>
    ${folded(
      'Values',
      table({
        caption: 'Kept releases',
        columns: [
          { name: 'Built', kind: 'word' },
          ...known.map(({ name }) => ({ name, kind: 'figure' as const })),
        ],
        rows: releases
          .map((_, at) => [moment(times[at]!), ...known.map((one) => textAt(one, at))])
          .toReversed(),
      }),
    )}`;
}

function figures(release: Manifest): Figure[] {
  return [
    ...release.files
      .filter(({ kind, ipVersion }) => kind === 'served' && ipVersion === 6)
      .map(({ name }): Figure => ({
        name: `${name} networks`,
        of: ({ files }) => files.find((file) => file.name === name)?.coverage.networks,
        text: figureText,
      })),
    {
      name: 'size of all files',
      of: ({ files, indexes = [] }) =>
        [...files, ...indexes].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      text: sizeText,
    },
    { name: 'rows accepted', of: (one) => sumOfRows(one, 'accepted'), text: figureText },
    { name: 'rows rejected', of: (one) => sumOfRows(one, 'rejected'), text: figureText },
    ...ACCURACY_SHARES.map(([key, name]): Figure => ({
      name: `right answers: ${name}`,
      of: ({ datasets }) => scorecardIn(datasets)?.all[key],
      text: shareText,
    })),
    {
      name: 'addresses with another place',
      of: ({ changes }) => changes && shareOfChanges(changes),
      text: (share) => percent(share, 1),
    },
    { name: 'build time', of: ({ buildSeconds }) => buildSeconds, text: duration },
  ];
}

/** Returns the share (0..1) of addresses with another place than in the release before; undefined without addresses. */
function shareOfChanges(changes: PlaceChanges): number | undefined {
  const { changed, ipv4Addresses } = totalOfChanges(changes);
  return ipv4Addresses === 0 ? undefined : changed / ipv4Addresses;
}

function sumOfRows({ inputs }: Manifest, count: 'accepted' | 'rejected'): number {
  return inputs.flatMap(ownFiles).reduce((sum, file) => sum + file[count], 0);
}

function panel(series: Series): Markup {
  const { name, values } = series;
  const isLine = values.filter((value) => value !== undefined).length > 1;
  return html`<figure>
    <figcaption>${name}</figcaption>
    <strong>${textAt(series, values.length - 1)}</strong>${isLine ? sparkline(series) : NOTHING}
  </figure> `;
}

function textAt({ values, text }: Series, at: number): string {
  const value = values[at];
  return value === undefined ? '' : text(value);
}
