import { compareFeeds, type FeedChange } from '../compare-feeds.js';
import type { Gate, Manifest, ManifestFile } from '../contract.js';
import { ownFiles } from '../own-files.js';
import { COUNTERS } from '../routing-counters.js';
import { html, type Insert, type Markup } from '../../html/markup.js';
import type { Section } from '../../html/section.js';
import { countersOf, fileBefore, type ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { change, counted, figure, listed } from '../../html/wording.js';

/** The main figures of the release, its news, and its gates. */
export function summary(subject: ReportSubject): Section {
  const { manifest } = subject;
  return {
    id: 'summary',
    title: 'Summary',
    body: html`${tiles(subject)}${news(subject)}${gates(manifest.gates)}`,
  };
}

/** A main figure and its value in the last release. */
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
  // 32-bit keys are not networks.
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
    ...(last ? newsSince(last, manifest) : ['There is no earlier release to compare it with.']),
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
  if (renewed!.length > 0) lines.push(html`New files: ${listed(renewed!)}.`);
  if (added!.length > 0) lines.push(html`New inputs: ${listed(added!)}.`);
  if (gone!.length > 0) lines.push(html`Removed inputs: ${listed(gone!)}.`);
  const readAnew = changes.filter(
    ({ adapterVersion: { before, after } }) =>
      before !== undefined && after !== undefined && before !== after,
  );
  if (readAnew.length > 0)
    lines.push(html`New reader versions: ${listed(readAnew.map(({ feed }) => feed))}.`);
  const names = ({ files, indexes = [] }: Manifest): string[] =>
    [...files, ...indexes].map(({ name }) => name);
  const [before, now] = [names(last), names(manifest)];
  const newFiles = now.filter((name) => !before.includes(name));
  const oldFiles = before.filter((name) => !now.includes(name));
  if (newFiles.length > 0) lines.push(html`New files in the release: ${listed(newFiles)}.`);
  if (oldFiles.length > 0) lines.push(html`Removed files of the release: ${listed(oldFiles)}.`);
  if (lines.length === 1) lines.push(html`All inputs are the same.`);
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
    lines.push(html`<a href="#refusals">${counted(refused, 'file')} refused</a> or not downloaded.`);
  if (old.length > 0)
    lines.push(`${counted(old.length, 'last good copy', 'last good copies')} used instead.`);
  return lines;
}

function gates(judged: readonly Gate[]): Markup {
  return table({
    caption: 'Gates',
    isText: true,
    columns: [{ name: 'Gate' }, { name: 'Outcome', kind: 'word' }, { name: 'Found' }, { name: 'Bound' }],
    rows: judged.map(({ name, passed, found, bound }) => [
      name,
      passed ? html`<span class="gain">✓ passed</span>` : html`<span class="loss">✗ failed</span>`,
      findings(found),
      bound,
    ]),
  });
}

/** Splits the findings of a gate, which are joined by semicolons. */
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
