import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { compareReleases } from '../release/compare-releases.js';
import { olderRelease } from '../release/last-release.js';
import type { Release } from '../release/release-store.js';
import { renderReport } from '../release/report/render-report.js';
import { print, type CommandContext } from './context.js';
import { readGeo } from './read-geo.js';
import { readRoutes } from './read-routes.js';
import { readTypes } from './read-types.js';
import { findRelease } from './releases.js';

interface ReportFlags {
  readonly out?: string;
  readonly against?: string;
  readonly compare?: boolean;
}

/** `report`. */
export function addReportCommand(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('report')
    .description('what went into a release, what came out and what changed, as a page for a browser')
    .argument('[release]', 'id of a release; the current one by default')
    .option('--out <file>', 'where to write the page, instead of printing it')
    .option('--against <release>', 'the release to compare it with; the one before it by default')
    .option('--compare', 'also compare the two address by address, which takes a while')
    .action(async (id: string | undefined, { out, against, compare = false }: ReportFlags) => {
      const release = await findRelease(outputDir, id);
      const last =
        against === undefined
          ? await olderRelease(outputDir, release.id)
          : await findRelease(outputDir, against);
      const text = await report(release, last, compare);
      if (out === undefined) {
        process.stdout.write(text);
        return;
      }
      await writeFile(out, text);
      const compared = last === undefined ? '' : `, against ${last.id}`;
      print({ release: release.id, last: last?.id, out }, `${out}: ${release.id}${compared}`, context);
    });
}

async function report(release: Release, last: Release | undefined, compare: boolean): Promise<string> {
  const comparison =
    compare && last
      ? await compareReleases(last, release, { geo: readGeo, routes: readRoutes, types: readTypes })
      : undefined;
  return renderReport({ manifest: release.manifest, last: last?.manifest, comparison });
}
