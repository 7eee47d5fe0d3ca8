import { compareFeeds, type FeedChange } from '../compare-feeds.js';
import type { Gate, Manifest, ManifestFile } from '../contract.js';
import { ownFiles } from '../own-files.js';
import { COUNTERS } from '../routing-counters.js';
import { html, type Insert, type Markup } from './markup.js';
import type { Section } from './section.js';
import { countersOf, fileBefore, type ReportSubject } from './subject.js';
import { table } from './table.js';
import { change, counted, figure, listed } from './wording.js';

/** What the release holds, what is new about it, and the gates it was held against. */
export function summary(subject: ReportSubject): Section {
  const { manifest } = subject;
  return {
    id: 'summary',
    title: 'Summary',
    body: html`${tiles(subject)}${news(subject)}${gates(manifest.gates)}`,
  };
}

/** A figure that stands out, and what has become of it. */
interface Tile {
  readonly name: string;
  readonly now: number;
  readonly before: number | undefined;
}

function tiles(subject: ReportSubject): Markup {
  const { manifest, last } = subject;
  const all: Tile[] = [
    ...manifest.files.filter(isServed).map((file) => ({
      name: `${file.name} networks`,
      now: file.coverage.networks,
      before: fileBefore(subject, file)?.coverage.networks,
    })),
    ...prefixTile(subject),
    { name: 'rows accepted', now: rowsOf(manifest), before: last && rowsOf(last) },
  ];
  return html`<ul class="tiles">
    ${all.map(({ name, now, before }) => html`<li><strong>${figure(now)}</strong> ${name} ${last && html`<small>${change(now, before)}</small>`}</li> `)}
  </ul> `;
}

function isServed({ kind, ipVersion }: ManifestFile): boolean {
  // Keys of 32 bits are no networks.
  return kind === 'served' && ipVersion === 6;
}

function prefixTile({ manifest, last }: ReportSubject): Tile[] {
  const now = prefixesOf(manifest);
  return now === undefined ? [] : [{ name: 'announced prefixes', now, before: prefixesOf(last) }];
}

function prefixesOf(manifest: Manifest | undefined): number | undefined {
  const counters = countersOf(manifest);
  const [ipv4, ipv6] = [COUNTERS.ipv4Prefixes, COUNTERS.ipv6Prefixes].map((name) => counters.get(name));
  return ipv4 === undefined || ipv6 === undefined ? undefined : ipv4 + ipv6;
}

function rowsOf({ inputs }: Manifest): number {
  return inputs.flatMap(ownFiles).reduce((sum, { accepted }) => sum + accepted, 0);
}

function news(subject: ReportSubject): Markup {
  const { manifest, last } = subject;
  const lines = [
    ...(last ? newsSince(last, manifest) : ['There is no release before it to compare it with.']),
    ...troubles(manifest),
  ];
  return html`<ul class="news">
    ${lines.map((line) => html`<li>${line}</li> `)}
  </ul> `;
}

function newsSince(last: Manifest, manifest: Manifest): Insert[] {
  const changes = compareFeeds(last, manifest);
  const [renewed, added, gone] = [isRenewed, isAdded, isGone].map((is) =>
    changes.filter(is).map(({ feed }) => feed),
  );
  const lines = [html`Compared with release ${last.id}.`];
  if (renewed!.length > 0) lines.push(html`New files of ${listed(renewed!)}.`);
  if (added!.length > 0) lines.push(html`Not in the last release: ${listed(added!)}.`);
  if (gone!.length > 0) lines.push(html`No longer in it: ${listed(gone!)}.`);
  const readAnew = changes.filter(
    ({ adapterVersion: { before, after } }) =>
      before !== undefined && after !== undefined && before !== after,
  );
  if (readAnew.length > 0) lines.push(html`Read in a new way: ${listed(readAnew.map(({ feed }) => feed))}.`);
  const names = ({ files, indexes = [] }: Manifest): string[] =>
    [...files, ...indexes].map(({ name }) => name);
  const [before, now] = [names(last), names(manifest)];
  const newFiles = now.filter((name) => !before.includes(name));
  const oldFiles = before.filter((name) => !now.includes(name));
  if (newFiles.length > 0) lines.push(html`New in the release: ${listed(newFiles)}.`);
  if (oldFiles.length > 0) lines.push(html`Gone from the release: ${listed(oldFiles)}.`);
  if (lines.length === 1) lines.push(html`All inputs are those of that release.`);
  return lines;
}

function isRenewed({ accepted, snapshots }: FeedChange): boolean {
  const isThere = accepted.before !== undefined && accepted.after !== undefined;
  return isThere && snapshots.some(({ state }) => state !== 'same');
}

function isAdded({ accepted }: FeedChange): boolean {
  return accepted.before === undefined;
}

function isGone({ accepted }: FeedChange): boolean {
  return accepted.after === undefined;
}

function troubles({ inputs }: Manifest): Insert[] {
  const refused = inputs.reduce((sum, { refusals }) => sum + refusals.length, 0);
  const old = inputs.flatMap(({ files }) => files.filter(({ lastGood }) => lastGood));
  const lines: Insert[] = [];
  if (refused > 0)
    lines.push(html`<a href="#refusals">${counted(refused, 'file')} refused</a> or not to be had.`);
  if (old.length > 0)
    lines.push(`${counted(old.length, 'last good copy', 'last good copies')} used instead.`);
  return lines;
}

function gates(judged: readonly Gate[]): Markup {
  return table({
    caption: 'Gates the release was held against',
    columns: [{ name: 'Gate' }, { name: 'Outcome', kind: 'word' }, { name: 'Found' }, { name: 'Bound' }],
    rows: judged.map(({ name, passed, found, bound }) => [
      name,
      passed ? html`<span class="gain">✓ passed</span>` : html`<span class="loss">✗ failed</span>`,
      findings(found),
      bound,
    ]),
  });
}

/** Gates join what they found with semicolons. */
function findings(found: string): Insert {
  const [first = '', ...others] = found.split('; ');
  if (others.length === 0) return first;
  const rest = others.map((line) => html`<li>${line}</li>`);
  return html`<details>
    <summary>${first} <small>and ${figure(others.length)} more</small></summary>
    <ul>
      ${rest}
    </ul>
  </details>`;
}
