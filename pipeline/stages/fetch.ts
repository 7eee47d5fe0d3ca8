import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedFile } from '../feeds/feed.js';
import type { DownloadResult } from '../fetch/download.js';
import type { PlannedDownload } from '../fetch/download-plan.js';
import { describeMissed, downloadSources, type MissedDownload } from './download-source.js';
import type { Stage, StageContext } from './stage.js';
import { TransientError } from './transient-error.js';
import { z } from 'zod';
import { isMissing } from '../release/missing.js';
import { FileStore } from './file-store.js';
import { findFiles } from './find-files.js';
import type { Snapshot, SnapshotFile } from './snapshot.js';
import { comesWithProject, filesOfSource } from './sources.js';

const inputSchema = z.strictObject({ source: z.string() });

/**
 * Finds the files of a source below the input directory and keeps their content; the snapshot. For FEEDS=live that
 * directory is brought up to date first, and what could not be had is told with the files of earlier nights. A file that is not
 * there is left out: whoever reads the snapshot decides what to do without it.
 */
export const fetchSource: Stage = async (input, context) => {
  const { source } = inputSchema.parse(input);
  const { feedsDir, bundledFeedsDir, outputDir } = context.settings;
  const missed = await downloadIfLive(source, context);
  const store = new FileStore(outputDir);
  const patterns = filesOfSource(source);
  const files: SnapshotFile[] = [];
  const bundled: SnapshotFile[] = [];
  for (const [pattern, file] of patterns.entries()) {
    for (const name of await findFiles(feedsDir, file)) {
      // What we have downloaded ourselves is only ever replaced.
      const mayLink = context.settings.live !== undefined && file.download !== undefined;
      files.push(await keepFile({ dir: feedsDir, file, name, pattern, mayLink }, store));
      report(files, context);
    }
    if (!comesWithProject(file) || bundledFeedsDir === undefined) continue;
    for (const name of await findFiles(bundledFeedsDir, file)) {
      bundled.push(await keepFile({ dir: bundledFeedsDir, file, name, pattern, mayLink: false }, store));
    }
  }
  // A registry that nobody has provided is the bundled one: that is no fault of the night.
  files.push(...bundled.filter(({ pattern }) => !files.some((file) => file.pattern === pattern)));
  return { source, ...describeMissed(missed, source, files), bundled } satisfies Snapshot;
};

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

interface FoundFile {
  readonly dir: string;
  readonly file: FeedFile;
  readonly name: string;
  readonly pattern: number;
  /** Nobody writes into the file: it is replaced as a whole. */
  readonly mayLink: boolean;
}

async function keepFile(
  { dir, file, name, pattern, mayLink }: FoundFile,
  store: FileStore,
): Promise<SnapshotFile> {
  const path = join(dir, file.folder, name);
  try {
    const { mtime } = await stat(path);
    const digest = await store.keep(path, { mayLink });
    const id = `${file.folder}/${name}`;
    return { id, folder: file.folder, name, pattern, ...digest, modified: mtime.toISOString() };
  } catch (error) {
    if (isMissing(error)) throw new TransientError(`${path} went away while it was read`, { cause: error });
    throw error;
  }
}
