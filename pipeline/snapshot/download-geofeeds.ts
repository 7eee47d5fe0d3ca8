import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GeofeedReferences } from '../input/registrations/geofeed-blocks.js';
import { readReferences, REFERENCE_FILES } from '../input/registrations/read-references.js';
import { FeedError } from '../input/feed-error.js';
import type { OpenFile, PublishedFile } from '../input/published-source.js';
import type { DownloadWatcher } from '../fetch/download-all.js';
import type { DownloadContext, DownloadResult } from '../fetch/download.js';
import { EXTRACTED, extractReferences } from '../fetch/extract-references.js';
import { downloadFoundGeofeeds, FOUND_KEYS, planFoundGeofeeds } from '../fetch/found-geofeeds.js';
import { removeUnlisted } from '../fetch/remove-unlisted.js';
import { findFiles } from './find-files.js';

/** The context of all downloads of a night. */
type NightContext = Omit<DownloadContext, 'onBytes'>;

/**
 * Extracts the references to geofeeds from the downloaded dumps of registries, and downloads the geofeeds that they
 * name, except those that the operator lists. Removes the copies of geofeeds that no registration names any more.
 * Returns nothing without any references.
 */
export async function downloadReferencedGeofeeds(
  listed: readonly PublishedFile[],
  context: NightContext,
  watcher: DownloadWatcher,
): Promise<DownloadResult[]> {
  const { dir } = context;
  const failed: DownloadResult[] = [];
  const collect = async (id: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      failed.push({ file: id, outcome: 'failed', failure: 'container', text: error.message });
    }
  };
  await collect(EXTRACTED, () => extractReferences(dir));
  const references = new GeofeedReferences();
  const files = await referenceFiles(dir);
  for (const file of files) {
    await collect(file.id, () => readReferences(file, references, UNCOUNTED));
  }
  if (files.length === 0) return failed;
  const urls = new Set(listed.flatMap(({ download }) => download?.url ?? []));
  const plan = planFoundGeofeeds(references.blocks(), urls);
  // After an unreadable file its references are unknown.
  if (failed.length === 0) await removeUnlisted(dir, { folder: 'own', prefix: FOUND_KEYS, listed: plan });
  return [...failed, await downloadFoundGeofeeds(plan, context, { watcher })];
}

/** The build counts the rows. */
const UNCOUNTED = { accept: () => undefined, reject: () => undefined };

async function referenceFiles(dir: string): Promise<OpenFile[]> {
  const files: OpenFile[] = [];
  for (const declared of REFERENCE_FILES) {
    const { folder, container, maxUnpackedBytes = Infinity } = declared;
    for (const name of await findFiles(dir, declared)) {
      const path = join(dir, folder, name);
      const { size: sizeBytes } = await stat(path);
      const id = `${folder}/${name}`;
      files.push({ id, folder, name, container, path, sizeBytes, maxUnpackedBytes, onRead: () => undefined });
    }
  }
  return files;
}
