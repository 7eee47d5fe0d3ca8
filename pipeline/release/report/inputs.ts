import type { ManifestInput, ManifestInputFile, ManifestRefusal } from '../contract.js';
import { ownFiles } from '../own-files.js';
import { html, NOTHING, type Insert, type Markup } from './markup.js';
import { folded, type Section } from './section.js';
import type { ReportSubject } from './subject.js';
import { table } from './table.js';
import { age, counted, figure, percent, size } from './wording.js';

/** What went in: by feed or list who published it, under which licence, and what became of its rows. */
export function inputs({ manifest }: ReportSubject): Section {
  // The dates of downloaded files are their publishers'; in a folder they are those of the copy, which say nothing.
  const datedAt = manifest.source === 'live' ? manifest.buildEpoch : undefined;
  const all = manifest.inputs.map((input) => ({ ...input, files: ownFiles(input) }));
  return {
    id: 'inputs',
    title: 'Inputs',
    body: html`${overview(all, datedAt)}
      <p>
        Files and rows are each input’s own. IANA’s registries of special-purpose space, which are read along
        with every feed and list, are counted as those of iana alone.
      </p>
      ${refusals(all)}
      <h3>Each by itself</h3>
      ${all.map((input) => details(input, datedAt))}`,
  };
}

/** `datedAt` is when the release was built, in seconds since 1970; absent where no ages are told. */
function overview(all: readonly ManifestInput[], datedAt: number | undefined): Markup {
  return table({
    caption: 'Feeds and lists',
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
  return last === '' ? undefined : age(last, buildEpoch);
}

function refusals(all: readonly ManifestInput[]): Markup {
  const refused = all.flatMap(({ feed, refusals: files }) => files.map((file) => ({ feed, file })));
  if (refused.length === 0) return html`<p id="refusals">No file was refused.</p> `;
  const instead = ({ usedInstead }: ManifestRefusal): Insert =>
    usedInstead === 'nothing' ? html`<span class="loss">nothing</span>` : usedInstead;
  return html`<div id="refusals">
    ${table({
      caption: 'Files refused or not to be had, and what was used instead',
      columns: [
        { name: 'File' },
        { name: 'Input' },
        { name: 'Why' },
        { name: 'Found' },
        { name: 'Used instead' },
      ],
      rows: refused.map(({ feed, file }) => [file.file, feed, file.refusal, file.found, instead(file)]),
    })}
  </div> `;
}

function details(
  { feed, publisher, licence, files, networks, adapterVersion }: ManifestInput,
  datedAt: number | undefined,
): Markup {
  const { accepted, rejected } = totals(files);
  const told = [
    counted(files.length, 'file'),
    counted(accepted, 'row'),
    ...(rejected > 0 ? [`${figure(rejected)} rejected`] : []),
    ...(networks === undefined ? [] : [counted(networks, 'network')]),
  ];
  return folded(
    html`<strong>${feed}</strong> <small>${told.join(', ')}</small>`,
    html`<p>
        ${publisher}. ${link(licence.url, licence.name)} (${licence.terms}). Read by version ${adapterVersion}
        of its adapter.
      </p>
      ${licence.attribution !== undefined && html`<p class="attribution">${attribution(licence.attribution)}</p> `}${fileTable(files, datedAt)}${rejections(files)}${notes(files)}`,
  );
}

const DATES = [
  { name: 'Modified', kind: 'word' },
  { name: 'Age', kind: 'figure' },
] as const;

/** Families of files may have thousands of members. */
const MOST_FILES = 40;

function fileTable(files: readonly ManifestInputFile[], datedAt: number | undefined): Markup {
  if (files.length === 0) return html`<p>No file: it comes with the program.</p> `;
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
      ...(datedAt === undefined ? [] : [file.modified.slice(0, 10), age(file.modified, datedAt)]),
      size(file.sizeBytes),
      figure(file.rows),
      figure(file.rejected),
      file.lastGood ? html`<span class="loss">last good</span>` : 'of the night',
    ]),
  })}${left > 0 && html`<p>The largest; ${counted(left, 'more file')} not shown.</p> `}`;
}

/** Examples per reason, over all files of an input. */
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
    columns: [{ name: 'Reason' }, { name: 'Rows', kind: 'figure' }, { name: 'Examples' }],
    rows: [...reasons]
      .sort(([a, { count: less }], [b, { count: more }]) => more - less || (a < b ? -1 : 1))
      .map(([reason, { count, examples }]) => [
        reason,
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
  const told = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([note, count]) => `${note} ${figure(count)}`);
  return html`<p>Odd but kept: ${told.join(', ')}.</p> `;
}

/** Some publishers give the line as a link. */
function attribution(line: string): Insert {
  const [, url, text] = /^<a href=['"]([^'"<>]+)['"]>([^<>]*)<\/a>$/.exec(line) ?? [];
  return url === undefined || text === undefined ? line : link(url, text);
}

/** A link, where it leads to the web. */
function link(url: string, text: string): Insert {
  return /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer">${text}</a>` : text;
}
