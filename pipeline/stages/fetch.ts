import type { DownloadResult } from '../fetch/download.js';
import type { PlannedDownload } from '../fetch/download-plan.js';
import { describeMissed, downloadSources, type MissedDownload } from './download-source.js';
import type { Stage, StageContext } from './stage.js';
import { z } from 'zod';
import { FileStore } from './file-store.js';
import { findFiles } from './find-files.js';
import { keepFile, UnreadableFile } from './keep-file.js';
import type { NotFetched, Snapshot, SnapshotFile } from './snapshot.js';
import { comesWithProject, filesOfSource } from './sources.js';

const inputSchema = z.strictObject({ source: z.string() });

/**
 * Finds the files of a source below the input directory and keeps their content; the snapshot. For FEEDS=live that
 * directory is brought up to date first, and what could not be had is told with the files of earlier nights. A file that is not
 * there is left out: whoever reads the snapshot decides what to do without it. So is one that cannot be read, and told.
 */
export const fetchSource: Stage = async (input, context) => {
  const { source } = inputSchema.parse(input);
  const { feedsDir, bundledFeedsDir, outputDir } = context.settings;
  const missed = await downloadIfLive(source, context);
  const store = new FileStore(outputDir);
  const patterns = filesOfSource(source);
  const files: SnapshotFile[] = [];
  const bundled: SnapshotFile[] = [];
  const unreadable: NotFetched[] = [];
  for (const [pattern, file] of patterns.entries()) {
    for (const name of await findFiles(feedsDir, file)) {
      // What we have downloaded ourselves is only ever replaced.
      const mayLink = context.settings.live !== undefined && file.download !== undefined;
      const found = { dir: feedsDir, file, name, pattern, mayLink };
      await keepFile(found, store).then((kept) => files.push(kept), tellUnreadable(pattern, unreadable));
      report(files, context);
    }
    if (!comesWithProject(file) || bundledFeedsDir === undefined) continue;
    for (const name of await findFiles(bundledFeedsDir, file)) {
      bundled.push(await keepFile({ dir: bundledFeedsDir, file, name, pattern, mayLink: false }, store));
    }
  }
  // A registry that nobody has provided is the bundled one: that is no fault of the night.
  files.push(...bundled.filter(({ pattern }) => !files.some((file) => file.pattern === pattern)));
  const described = describeMissed(missed, source, files);
  const notFetched = [...described.notFetched, ...unreadable];
  return { source, files: described.files, notFetched, bundled } satisfies Snapshot;
};

/** Takes what cannot be read down; throws what is something else. */
function tellUnreadable(pattern: number, unreadable: NotFetched[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof UnreadableFile)) throw error;
    const { file, message } = error;
    unreadable.push({ file, refusal: 'missing', found: message, patterns: [pattern], held: false });
  };
}

async function downloadIfLive(source: string, context: StageContext): Promise<readonly MissedDownload[]> {
  const { live, outputDir } = context.settings;
  if (!live) return [];
  const watcher = {
    started: ({ id }: PlannedDownload) => {
      context.progress({ text: id });
    },
    bytes: ({ id }: PlannedDownload, bytesDone: number, bytesTotal = 0) => {
      context.progress({ bytesDone, bytesTotal, text: id });
    },
    ended: (_planned: PlannedDownload, { file, outcome, text, copy }: DownloadResult) => {
      if (outcome === 'unchanged') return;
      const instead = outcome === 'downloaded' || !copy ? '' : `; the copy of ${copy.fetched} stays`;
      context.log(`${file} ${outcome}: ${text}${instead}`);
    },
  };
  const readVariable = (name: string): string | undefined => process.env[name];
  const { missed } = await downloadSources([source], outputDir, { ...live, readVariable, watcher });
  // What follows counts anew, and its end is not known.
  context.progress({ bytesDone: 0, bytesTotal: 0 });
  return missed;
}

function report(files: readonly SnapshotFile[], context: StageContext): void {
  const bytesDone = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  context.progress({ bytesDone, text: files.length === 1 ? '1 file' : `${files.length} files` });
}
