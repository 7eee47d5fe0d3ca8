import type { BuildResult } from '../publish/publish.js';
import { alignColumns } from '../release/columns.js';
import type {
  Manifest,
  ManifestFile,
  ManifestIndex,
  ManifestInput,
  ManifestInputFile,
  ManifestRefusal,
} from '../release/contract.js';
import { ownFiles } from '../release/own-files.js';
import { releaseDir } from '../release/release-store.js';
import { routingSourceById } from '../snapshot/sources.js';
import { listById } from '../lists/catalogue.js';
import { printableLines } from '../text/printable.js';
import { isIncomplete } from './exit-codes.js';
import { describeAccuracy } from './describe-accuracy.js';
import { badRowLines, ownershipLines, rejectionLines } from './describe-files.js';
import { describeFreeSpace } from './describe-geo.js';
import { describeProxies } from './describe-proxies.js';
import { describeRouting } from './describe-routing.js';
import { figureText, grouped, sizeText } from '../text/figure-text.js';

/** Returns the summary of a finished build. */
export function describeBuild(built: {
  readonly result: BuildResult;
  readonly manifest: Manifest;
  /** The release before it. */
  readonly last: Manifest | undefined;
  readonly outputDir: string;
  readonly tookMs: number;
}): string {
  const { result, manifest, last, outputDir, tookMs } = built;
  const sources = manifest.inputs.filter(({ feed }) => routingSourceById(feed));
  const lists = manifest.inputs.filter(({ feed }) => listById(feed));
  const feeds = manifest.inputs.filter(
    (input) =>
      ![...sources, ...lists].includes(input) && (input.networks !== undefined || input.refusals.length > 0),
  );
  const rows = [FEED_HEAD, ...feeds.map(feedRow)];
  return printableLines([
    '',
    ...alignColumns(rows),
    ...feeds.flatMap(rejectionLines),
    ...feeds.flatMap(ownershipLines),
    ...feeds.flatMap(unresolvedLines),
    ...describeSources(sources),
    ...describeLists(lists),
    ...sectionOf(describeFreeSpace(manifest)),
    ...sectionOf(describeAccuracy(manifest, last)),
    ...sectionOf(describeRouting(manifest)),
    ...sectionOf(describeProxies(manifest)),
    ...sectionOf(describeRegions(manifest)),
    '',
    ...alignColumns([FILE_HEAD, ...manifest.files.map(fileRow), ...(manifest.indexes ?? []).map(indexRow)]),
    ...manifest.files.flatMap((file) => licenceLines(file, manifest)),
    ...manifest.inputs.flatMap(badRowLines),
    ...result.refusals.map(describeRefusal),
    ...(result.keptIsp === undefined ? [] : [`NOT PUBLISHED isp.mmdb: ${result.keptIsp}`]),
    outcomeOf(result, tookMs),
    `  ${releaseDir(outputDir, result.id)}`,
    ...heldLines(result),
    ...incompleteLines(result),
  ]);
}

function outcomeOf({ id, published, held }: BuildResult, tookMs: number): string {
  const seconds = (tookMs / 1000).toFixed(1);
  if (!published) return `Nothing new: release ${id} has the same inputs (${seconds} s)`;
  return `${held === undefined ? 'Published' : 'Kept'} ${id} in ${seconds} s`;
}

/** The line of a build whose release is not current: it says which one is, and how to change that. */
function heldLines({ id, held }: BuildResult): string[] {
  if (held === undefined) return [];
  return [
    `HELD: a rollback keeps ${held} current. "ipatlas release ${id}" makes this release current. Exit code 4`,
  ];
}

/** The last line of a build that published without all of tonight's data. */
function incompleteLines(result: BuildResult): string[] {
  if (!isIncomplete(result)) return [];
  const files = result.refusals.filter(({ refusal }) => refusal !== 'skipped').length;
  const parts = [
    ...(files === 0 ? [] : [`${grouped(files)} ${files === 1 ? 'file was' : 'files were'} not used`]),
    ...(result.keptIsp === undefined ? [] : ['isp.mmdb is that of the last release']),
  ];
  return [`INCOMPLETE: ${parts.join('; ')} (see above). Exit code 3`];
}

function describeRefusal({ file, refusal, found, usedInstead }: ManifestRefusal): string {
  const what = refusal === 'skipped' ? `SKIPPED ${file}: ${found}` : `REFUSED ${file}: ${refusal}: ${found}`;
  return `${what}. Used instead: ${usedInstead}`;
}

/** The table of routing sources, and their rejected rows. */
function describeSources(sources: readonly ManifestInput[]): string[] {
  if (sources.length === 0) return [];
  const rows = sources.map((input) => [input.feed, ...rowCells(input)]);
  return ['', ...alignColumns([SOURCE_HEAD, ...rows]), ...sources.flatMap(rejectionLines)];
}

/** The table of lists, and their rejected rows. */
function describeLists(lists: readonly ManifestInput[]): string[] {
  if (lists.length === 0) return [];
  const rows = lists.map((input) => [input.feed, ...rowCells(input), networksCell(input)]);
  return ['', ...alignColumns([LIST_HEAD, ...rows]), ...lists.flatMap(rejectionLines)];
}

/** How the regions of global DNS compare with this release, and a line for each mismatch. */
function describeRegions({ regions }: Manifest): string[] {
  if (regions === undefined) return [];
  const { checked, confirmed, countryOnly, unknown, mismatches } = regions;
  return [
    `global DNS regions: ${confirmed} of ${checked} confirmed, ${countryOnly} by country only, ` +
      `${unknown} not in the datasets, ${mismatches.length} mismatched`,
    ...mismatches.map(
      ({ code, subnet, label, expected, found }) =>
        `  region ${code} ${label}, ${subnet}: expected ${expected}, found ${found}`,
    ),
  ];
}

/** A section after an empty line; nothing for a section without lines. */
function sectionOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

const SOURCE_HEAD = ['source', 'rows', 'rejected'];
const LIST_HEAD = ['list', 'rows', 'rejected', 'networks'];
const FEED_HEAD = ['feed', 'rows', 'rejected', 'networks', 'city', 'region', 'country'];
const FILE_HEAD = ['file', 'networks', 'IPv4 addresses', 'records', 'size', 'terms'];

function fileRow({ name, coverage, records, sizeBytes, terms }: ManifestFile): string[] {
  const { networks, ipv4Addresses } = coverage;
  return [name, grouped(networks), grouped(ipv4Addresses), figureText(records), sizeText(sizeBytes), terms];
}

/** A warning for each download with data that may not be redistributed: DATASET_FEEDS can name such feeds. */
function licenceLines({ name, kind, terms, sources }: ManifestFile, { inputs }: Manifest): string[] {
  if (kind !== 'download' || terms === 'free' || terms === 'share-alike') return [];
  const named = inputs.filter(({ feed, licence }) => sources.includes(feed) && licence.terms === terms);
  const feeds = named.map(({ feed }) => feed).join(', ');
  return [`WARNING ${name} contains data of ${feeds}: redistribution requires the publisher's consent`];
}

/** The row of a file that is not an MMDB: it has no networks. */
function indexRow({ name, sizeBytes, terms }: ManifestIndex): string[] {
  return [name, '', '', '', sizeText(sizeBytes), terms];
}

/** The sums of rows and rejected rows over all files. */
function rowCells(input: ManifestInput): string[] {
  const files = ownFiles(input);
  const sum = (figure: (file: ManifestInputFile) => number): string =>
    grouped(files.reduce((total, file) => total + figure(file), 0));
  return [sum((file) => file.rows), sum((file) => file.rejected)];
}

function feedRow(input: ManifestInput): string[] {
  return [input.feed, ...rowCells(input), networksCell(input), ...placeCells(input.places)];
}

function networksCell({ networks }: ManifestInput): string {
  return networks === undefined ? 'none' : grouped(networks);
}

/** Shares of networks by the most detailed place level known for them. */
function placeCells(places: ManifestInput['places']): string[] {
  if (!places || places.total === 0) return ['', '', ''];
  const { total, levels } = places;
  return [levels.city, levels.region, levels.country].map(
    (count) => `${((100 * count) / total).toFixed(1)} %`,
  );
}

const NAMES_SHOWN = 3;

/** The feed's most frequent place names that the gazetteer could not match. */
function unresolvedLines({ feed, places }: ManifestInput): string[] {
  if (!places) return [];
  const names = [...places.unresolvedRegions, ...places.unresolvedCities].sort((a, b) => b.count - a.count);
  const shown = names.slice(0, NAMES_SHOWN).map(({ country, name, count }) => {
    return `${name} (${country}) ${grouped(count)}`;
  });
  return shown.length === 0 ? [] : [`  ${feed}: unmatched place names: ${shown.join(', ')}`];
}
