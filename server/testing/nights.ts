import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { ipatlas, PROJECT, type Settings } from '../../pipeline/testing/command-line.js';
import { currentRelease } from '../../pipeline/release/release-store.js';

/** Nights of builds from a copy of the bundled feeds, into one output folder. */
export interface Nights {
  readonly outputDir: string;
  readonly feedsDir: string;
  /**
   * Adds rows to the own feed and runs `ipatlas build` as a program. Returns the file for download, and the release's
   * id.
   */
  publish(date: string, rows?: string): Promise<Night>;
}

/** A published release. */
export interface Night {
  readonly id: string;
  readonly geo: Buffer;
}

/** Prepares the folders, which are removed when the test ends. */
export function newNights(t: Test, settings: Settings = {}): Nights {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-nights-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const [outputDir, feedsDir] = [join(dir, 'output'), join(dir, 'feeds')];
  cpSync(join(PROJECT, 'fixtures/feeds'), feedsDir, { recursive: true, preserveTimestamps: true });
  return {
    ...{ outputDir, feedsDir },
    publish: async (date, rows = '') => {
      appendFileSync(join(feedsDir, 'own/overrides.csv'), rows);
      const epoch = String(Date.parse(date) / 1000);
      const all = { FEEDS: feedsDir, OUTPUT: outputDir, SOURCE_DATE_EPOCH: epoch, ...settings };
      const { code, stderr } = await ipatlas(t, all, 'build');
      if (code !== 0) throw new Error(`exit code ${code}:\n${stderr}`);
      const { id, dir } = (await currentRelease(outputDir))!;
      return { id, geo: readFileSync(join(dir, 'download/geo.mmdb')) };
    },
  };
}
