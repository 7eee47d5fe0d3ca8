import type { Command } from 'commander';
import { compareReleases } from '../release/compare-releases.js';
import { formatComparison } from '../release/format-comparison.js';
import { currentId, listReleases } from '../release/release-store.js';
import { readPin } from '../release/pin.js';
import { release, rollback, unpin } from '../release/rollback.js';
import { COMPARISON_READERS } from './comparison-readers.js';
import { print, type CommandContext } from './context.js';
import { describeListed, listedReleases } from './listed-releases.js';
import { findRelease } from './releases.js';
import { moveEverywhere } from './share-move.js';

/** Adds `releases`, `compare`, `rollback`, `release` and `unpin`. */
export function addReleaseCommands(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('releases')
    .description('list the kept releases, newest first, with age, size and pins')
    .action(async () => {
      const state = { current: await currentId(outputDir), pin: await readPin(outputDir), nowMs: Date.now() };
      const rows = listedReleases(await listReleases(outputDir), state);
      print(rows, describeListed(rows), context);
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
  addMoves(program, context);
}

/** Adds the commands that change which release is current. */
function addMoves(program: Command, context: CommandContext): void {
  const { environment } = context;
  const { outputDir } = environment;
  program
    .command('rollback')
    .description(
      'make the previous release, or the given one, current again and hold it: builds do not replace it',
    )
    .argument('[id]', 'id of a release')
    .option('--until-next', 'hold it only until a build has new content')
    .action(async (id: string | undefined, { untilNext }: { readonly untilNext?: true }) => {
      const { moved, inStore } = await moveEverywhere(environment, () =>
        rollback(outputDir, id, untilNext === true ? 'next' : 'released'),
      );
      const until =
        untilNext === true
          ? 'until a build has new content'
          : 'until "ipatlas unpin" or "ipatlas release <id>"';
      const text = `current release: ${moved.to} (was ${moved.from ?? 'none'}), held ${until}${inStore}`;
      print({ ...moved, until: untilNext === true ? 'next' : 'released' }, text, context);
    });
  program
    .command('release')
    .description('make the given release current and end the hold of a rollback')
    .argument('<id>', 'id of a release')
    .action(async (id: string) => {
      const { moved, inStore } = await moveEverywhere(environment, () => release(outputDir, id));
      const text = `current release: ${moved.to} (was ${moved.from ?? 'none'}), not held${inStore}`;
      print(moved, text, context);
    });
  program
    .command('unpin')
    .description('end the hold of a rollback: the current release stays until the next build publishes')
    .action(async () => {
      const unpinned = await unpin(outputDir);
      print(
        { unpinned },
        unpinned ? 'the hold has ended: the next build publishes' : 'no release is held',
        context,
      );
    });
}
