import type { ManifestInput, ManifestInputFile, ManifestRefusal } from '../contract.js';
import { ownFiles } from '../own-files.js';
import { geofeeds } from './geofeeds.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import { folded, type Section } from '../../html/section.js';
import { noteName, reasonName, refusalName } from './reason-names.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { ageAt, counted, figure, percent, size } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

/** The inputs: publisher, licence and rows of each feed and list. */
export function inputs({ manifest }: ReportSubject): Section {
  // Downloaded files have their publishers' dates. Files in a folder have the dates of the copy, which mean nothing.
  const datedAt = manifest.source === 'live' ? manifest.buildEpoch : undefined;
  const all = manifest.inputs.map((input) => ({ ...input, files: ownFiles(input) }));
  return {
    id: 'inputs',
    title: 'Inputs',
    body: html`${overview(all, datedAt)}
      <p>
        IANA’s registries of special-purpose space are read with every feed and list. Their files and rows
        count for the input iana only.
      </p>
      ${refusals(all)}
      <h3>Details</h3>
      ${all.map((input) => details(input, datedAt))}`,
  };
}

/** `datedAt` is the build time in seconds since 1970; absent when file dates have no meaning. */
function overview(all: readonly ManifestInput[], datedAt: number | undefined): Markup {
  return table({
    caption: 'Feeds and lists',
    isText: true,
    columns: [
      { name: 'Input' },
      { name: 'Publisher' },
      { name: 'Licence' },
      { name: 'Terms', kind: 'word' },
      { name: 'Files', kind: 'figure' },
      { name: 'Rows accepted', kind: 'figure' },
      { name: 'Rejected', kind: 'figure' },
      ...(datedAt === undefined ? [] : [{ name: 'Newest file', kind: 'figure' } as const]),
    ],
    rows: all.map(({ feed, publisher, licence, files }) => {
      const { accepted, rejected } = totals(files);
      return [
        feed,
        publisher,
        link(licence.url, licence.name),
        licence.terms,
        figure(files.length),
        figure(accepted),
        html`${figure(rejected)}${rejected > 0 && html` <small>${percent(rejected, accepted + rejected)}</small>`}`,
        ...(datedAt === undefined ? [] : [newest(files, datedAt)]),
      ];
    }),
  });
}

function totals(files: readonly ManifestInputFile[]): { accepted: number; rejected: number } {
  const sum = (figureOf: (file: ManifestInputFile) => number): number =>
    files.reduce((all, file) => all + figureOf(file), 0);
  return { accepted: sum(({ accepted }) => accepted), rejected: sum(({ rejected }) => rejected) };
}

function newest(files: readonly ManifestInputFile[], buildEpoch: number): string | undefined {
  const last = files.reduce((latest, { modified }) => (modified > latest ? modified : latest), '');
  return last === '' ? undefined : ageAt(last, buildEpoch);
}

function refusals(all: readonly ManifestInput[]): Markup {
  const refused = all.flatMap(({ feed, refusals: files }) => files.map((file) => ({ feed, file })));
  if (refused.length === 0) return html`<p id="refusals">No file was refused.</p> `;
  const instead = ({ usedInstead }: ManifestRefusal): Insert =>
    usedInstead === 'nothing' ? html`<span class="loss">nothing</span>` : usedInstead;
  return html`<div id="refusals">
    ${table({
      caption: 'Files refused or not downloaded, and their replacements',
      isText: true,
      columns: [
        { name: 'File' },
        { name: 'Input' },
        { name: 'Why' },
        { name: 'Found' },
        { name: 'Used instead' },
      ],
      rows: refused.map(({ feed, file }) => [
        file.file,
        feed,
        refusalName(file.refusal),
        file.found,
        instead(file),
      ]),
    })}
  </div> `;
}

function details(
  { feed, publisher, licence, files, networks, adapterVersion }: ManifestInput,
  datedAt: number | undefined,
): Markup {
  const { accepted, rejected } = totals(files);
  const parts = [
    counted(files.length, 'file'),
    counted(accepted, 'row'),
    ...(rejected > 0 ? [`${figureText(rejected)} rejected`] : []),
    ...(networks === undefined ? [] : [counted(networks, 'network')]),
  ];
  return folded(
    html`<strong>${feed}</strong> <small>${parts.join(', ')}</small>`,
    html`<p>
        ${publisher}. ${link(licence.url, licence.name)} (${licence.terms}). Reader version ${adapterVersion}.
      </p>
      ${licence.attribution !== undefined && html`<p class="attribution">${attribution(licence.attribution)}</p> `}${fileTable(files, datedAt)}${rejections(files)}${notes(files)}${geofeeds(files)}`,
  );
}

const DATES = [
  { name: 'Modified', kind: 'word' },
  { name: 'Age', kind: 'figure' },
] as const;

/** Families of files may have thousands of members. */
const MOST_FILES = 40;

function fileTable(files: readonly ManifestInputFile[], datedAt: number | undefined): Markup {
  if (files.length === 0) return html`<p>No files: this input is part of ipatlas.</p> `;
  const largest = [...files].sort((a, b) => b.rows - a.rows).slice(0, MOST_FILES);
  const shown = files.length > MOST_FILES ? largest : files;
  const left = files.length - shown.length;
  return html`${table({
    caption: 'Files',
    columns: [
      { name: 'File' },
      ...(datedAt === undefined ? [] : DATES),
      { name: 'Size', kind: 'figure' },
      { name: 'Rows', kind: 'figure' },
      { name: 'Rejected', kind: 'figure' },
      { name: 'Copy', kind: 'word' },
    ],
    rows: shown.map((file) => [
      html`<span title="sha256 ${file.sha256}">${file.id}</span>`,
      ...(datedAt === undefined ? [] : [file.modified.slice(0, 10), ageAt(file.modified, datedAt)]),
      size(file.sizeBytes),
      figure(file.rows),
      figure(file.rejected),
      file.lastGood ? html`<span class="loss">last good</span>` : 'this night',
    ]),
  })}${left > 0 && html`<p>Only the largest are shown; ${counted(left, 'more file')} are not.</p> `}`;
}

/** Examples per reason, for all files of an input together. */
const MOST_EXAMPLES = 3;

function rejections(files: readonly ManifestInputFile[]): Markup {
  const reasons = new Map<string, { count: number; examples: Markup[] }>();
  for (const { id, rejections: found } of files) {
    for (const [reason, { count, examples }] of Object.entries(found)) {
      const held = reasons.get(reason) ?? { count: 0, examples: [] };
      held.count += count;
      const rows = examples.map(
        ({ position, excerpt }) => html`<li><small>${id}:${position}</small> <code>${excerpt}</code></li>`,
      );
      held.examples.push(...rows.slice(0, MOST_EXAMPLES - held.examples.length));
      reasons.set(reason, held);
    }
  }
  if (reasons.size === 0) return NOTHING;
  return table({
    caption: 'Rejected rows by reason',
    isText: true,
    columns: [{ name: 'Reason' }, { name: 'Rows', kind: 'figure' }, { name: 'Examples' }],
    rows: [...reasons]
      .sort(([a, { count: less }], [b, { count: more }]) => more - less || (a < b ? -1 : 1))
      .map(([reason, { count, examples }]) => [
        reasonName(reason),
        figure(count),
        html`<ul>
          ${examples}
        </ul>`,
      ]),
  });
}

function notes(files: readonly ManifestInputFile[]): Markup {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const [note, count] of Object.entries(file.notes)) counts.set(note, (counts.get(note) ?? 0) + count);
  }
  if (counts.size === 0) return NOTHING;
  const notes = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([note, count]) => `${noteName(note)} ${figureText(count)}`);
  return html`<p>Unusual rows that were kept: ${notes.join(', ')}.</p> `;
}

/** Renders an attribution line. Some publishers give it as an HTML link. */
function attribution(line: string): Insert {
  const [, url, text] = /^<a href=['"]([^'"<>]+)['"]>([^<>]*)<\/a>$/.exec(line) ?? [];
  return url === undefined || text === undefined ? line : link(url, text);
}

/** Renders a link for http and https URLs, otherwise only its text. */
function link(url: string, text: string): Insert {
  return /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer">${text}</a>` : text;
}
