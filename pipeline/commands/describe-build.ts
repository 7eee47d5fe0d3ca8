import type { BuildResult } from '../stages/publish.js';
import { alignColumns, grouped } from '../release/columns.js';
import type { Manifest, ManifestInput, ManifestInputFile, ManifestRefusal } from '../release/contract.js';
import { releaseDir } from '../release/release-store.js';

/** A finished build, for the person who started it. */
export function describeBuild(built: {
  readonly result: BuildResult;
  readonly manifest: Manifest;
  readonly outputDir: string;
  readonly tookMs: number;
}): string {
  const { result, manifest, outputDir, tookMs } = built;
  const feeds = manifest.inputs.filter((input) => input.networks !== undefined || input.refusals.length > 0);
  const rows = [['feed', 'rows', 'accepted', 'rejected', 'networks'], ...feeds.map(feedRow)];
  const seconds = (tookMs / 1000).toFixed(1);
  const outcome = result.published
    ? `Published ${result.id} in ${seconds} s`
    : `Nothing new: ${result.id} was made from the same inputs (${seconds} s)`;
  return [
    '',
    ...alignColumns(rows),
    ...feeds.flatMap(rejectionLines),
    '',
    ...manifest.files.map(
      ({ name, coverage, records, sizeBytes }) =>
        `${name}: ${grouped(coverage.networks)} networks, ${grouped(records)} records, ${grouped(sizeBytes)} bytes, ` +
        `${grouped(coverage.ipv4Addresses)} IPv4 addresses`,
    ),
    ...result.refusals.map(describeRefusal),
    outcome,
    `  ${releaseDir(outputDir, result.id)}`,
  ].join('\n');
}

function describeRefusal({ file, refusal, found, usedInstead }: ManifestRefusal): string {
  const what = refusal === 'skipped' ? `SKIPPED ${file}: ${found}` : `REFUSED ${file}: ${refusal}: ${found}`;
  return `${what}. Used instead: ${usedInstead}`;
}

function feedRow(input: ManifestInput): string[] {
  const sum = (figure: (file: ManifestInputFile) => number): string =>
    grouped(input.files.filter(isOwn).reduce((total, file) => total + figure(file), 0));
  return [
    input.feed,
    sum((file) => file.rows),
    sum((file) => file.accepted),
    sum((file) => file.rejected),
    input.networks === undefined ? 'none' : grouped(input.networks),
  ];
}

/** IANA's registries are read with every feed and belong to none. */
function isOwn(file: ManifestInputFile): boolean {
  return !file.id.startsWith('iana/');
}

/** Every reason for which rows of a feed were rejected, with the first example. */
function rejectionLines({ files }: ManifestInput): string[] {
  return files.flatMap((file) =>
    Object.entries(file.rejections).map(([reason, { count, examples }]) => {
      const [first] = examples;
      const example = first ? `, first at ${first.position}: ${printable(first.excerpt)}` : '';
      return `  ${file.id}: ${reason} ${grouped(count)}${example}`;
    }),
  );
}

/** A publisher's text for a terminal: no control characters, which could steer it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
