import type { DownloadResult } from '../fetch/download.js';
import type { PlannedDownload } from '../fetch/download-plan.js';
import { describeMissed, downloadSources, type MissedDownload } from './download-source.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { z } from 'zod';
import { FileStore } from '../store/file-store.js';
import { findFiles } from './find-files.js';
import { keepFile, UnreadableFile } from './keep-file.js';
import type { NotFetched, Snapshot, SnapshotFile } from './snapshot.js';
import { isBundled, filesOfSource } from './sources.js';

const inputSchema = z.strictObject({ source: z.string() });

/**
 * Finds the files of a source in the input folder, stores their content, and returns the snapshot. With FEEDS=live
 * downloads the files that are due first; failed downloads are listed in `notFetched`. Missing files are left out:
 * the reader of the snapshot decides what to do. Unreadable files are left out and listed in `notFetched`.
 */
export const fetchSource: Stage = async (input, context) => {
  const { source } = inputSchema.parse(input);
  const { feedsDir, bundledFeedsDir, outputDir } = context.settings;
  if (feedsDir === undefined) throw new Error('fetch runs only on the machine that started the build');
  const missed = await downloadIfLive(source, context);
  const store = new FileStore(outputDir, context.remote);
  const patterns = filesOfSource(source);
  const files: SnapshotFile[] = [];
  const bundled: SnapshotFile[] = [];
  const unreadable: NotFetched[] = [];
  for (const [pattern, file] of patterns.entries()) {
    for (const name of await findFiles(feedsDir, file)) {
      // Downloads are only replaced, never modified in place.
      const mayLink = context.settings.live !== undefined && file.download !== undefined;
      const found = { dir: feedsDir, file, name, pattern, mayLink };
      await keepFile(found, store).then((kept) => files.push(kept), collectUnreadable(pattern, unreadable));
      report(files, context);
    }
    if (!isBundled(file) || bundledFeedsDir === undefined) continue;
    for (const name of await findFiles(bundledFeedsDir, file)) {
      bundled.push(await keepFile({ dir: bundledFeedsDir, file, name, pattern, mayLink: false }, store));
    }
  }
  // A registry that is not provided is the bundled one. That is not an error.
  files.push(...bundled.filter(({ pattern }) => !files.some((file) => file.pattern === pattern)));
  await store.share([...files, ...bundled]);
  const described = describeMissed(missed, source, files);
  const notFetched = [...described.notFetched, ...unreadable];
  return { source, files: described.files, notFetched, bundled } satisfies Snapshot;
};

/** Returns a handler that collects UnreadableFile errors and rethrows all others. */
function collectUnreadable(pattern: number, unreadable: NotFetched[]): (error: unknown) => void {
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
      const instead = outcome === 'downloaded' || !copy ? '' : `; using the copy of ${copy.fetched}`;
      context.log(`${file} ${outcome}: ${text}${instead}`);
    },
    counted: (id: string, done: number, total: number) => {
      context.progress({ text: `${id}: ${done} of ${total}` });
    },
    summed: ({ file, text }: DownloadResult) => {
      context.log(`${file}: ${text}`);
    },
  };
  const readVariable = (name: string): string | undefined => process.env[name];
  const { missed } = await downloadSources([source], outputDir, { ...live, readVariable, watcher });
  // The next phase counts from zero, and its total is unknown.
  context.progress({ bytesDone: 0, bytesTotal: 0 });
  return missed;
}

function report(files: readonly SnapshotFile[], context: StageContext): void {
  const bytesDone = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  context.progress({ bytesDone, text: files.length === 1 ? '1 file' : `${files.length} files` });
}
