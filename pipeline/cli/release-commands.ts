import type { Command } from 'commander';
import { compareReleases } from '../release/compare-releases.js';
import { formatComparison } from '../release/format-comparison.js';
import { currentId, listReleases } from '../release/release-store.js';
import { rollback } from '../release/rollback.js';
import { COMPARISON_READERS } from './comparison-readers.js';
import { print, type CommandContext } from './context.js';
import { describeReleases, findRelease } from './releases.js';

/** Adds `releases`, `compare` and `rollback`. */
export function addReleaseCommands(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('releases')
    .description('list the kept releases, newest first')
    .action(async () => {
      const releases = await listReleases(outputDir);
      const current = await currentId(outputDir);
      print({ current, releases }, describeReleases(releases, current), context);
    });
  program
    .command('compare')
    .description(
      'show what changed between two releases, by country, route, proxy type and feed, and in accuracy',
    )
    .argument('<before>', 'id of a release, or "current"')
    .argument('<after>', 'id of a release, or "current"')
    .action(async (before: string, after: string) => {
      const pair = [await findRelease(outputDir, before), await findRelease(outputDir, after)] as const;
      const comparison = await compareReleases(...pair, COMPARISON_READERS);
      print(comparison, formatComparison(comparison), context);
    });
  program
    .command('rollback')
    .description('make the previous release, or the given one, current again')
    .argument('[id]', 'id of a release')
    .action(async (id?: string) => {
      const moved = await rollback(outputDir, id);
      print(moved, `current release: ${moved.to} (was ${moved.from ?? 'none'})`, context);
    });
}
