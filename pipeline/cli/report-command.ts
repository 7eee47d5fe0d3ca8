import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { comparePlaces } from '../release/compare-places.js';
import { compareReleases } from '../release/compare-releases.js';
import type { Manifest } from '../release/contract.js';
import { olderRelease } from '../release/last-release.js';
import type { PlaceChanges } from '../release/place-changes.js';
import { keptManifests, type Release } from '../release/release-store.js';
import { renderReport } from '../release/report/render-report.js';
import { releaseTrend } from '../release/trend.js';
import { COMPARISON_READERS } from './comparison-readers.js';
import { print, type CommandContext } from './context.js';
import { findRelease } from './releases.js';

interface ReportFlags {
  readonly out?: string;
  readonly against?: string;
  readonly compare?: boolean;
}

/** Adds `report`. */
export function addReportCommand(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('report')
    .description('make the HTML report of a release: its inputs, datasets and changes')
    .argument('[release]', 'id of a release; the current one by default')
    .option('--out <file>', 'write the page to a file instead of stdout')
    .option('--against <release>', 'release to compare with; the previous one by default')
    .option('--compare', 'also compare the two releases address by address, which is slow')
    .action(async (id: string | undefined, { out, against, compare = false }: ReportFlags) => {
      const release = await findRelease(outputDir, id);
      const last =
        against === undefined
          ? await olderRelease(outputDir, release.id)
          : await findRelease(outputDir, against);
      const text = await report(release, last, {
        trend: releaseTrend(release.manifest, await keptManifests(outputDir, release.id)),
        compare,
      });
      if (out === undefined) {
        context.environment.stdout.write(text);
        return;
      }
      await writeFile(out, text);
      const compared = last === undefined ? '' : `, against ${last.id}`;
      print({ release: release.id, last: last?.id, out }, `${out}: ${release.id}${compared}`, context);
    });
}

async function report(
  release: Release,
  last: Release | undefined,
  { trend, compare }: { readonly trend: readonly Manifest[]; readonly compare: boolean },
): Promise<string> {
  const comparison = compare && last ? await compareReleases(last, release, COMPARISON_READERS) : undefined;
  const changes = compare && last ? await changesBetween(last, release) : undefined;
  return renderReport({ manifest: release.manifest, last: last?.manifest, trend, comparison, changes });
}

async function changesBetween(last: Release, release: Release): Promise<PlaceChanges> {
  return { since: last.id, ...(await comparePlaces(geoIn(last), geoIn(release))) };
}

function geoIn({ dir }: Release): string {
  return join(dir, 'geo.mmdb');
}
