import { readdirSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Container, Download } from '../../input/published-source.js';
import { download, type DownloadContext, type DownloadResult } from '../download.js';
import { planDownloads } from '../download-plan.js';
import type { FetchLimits } from '../fetch-limits.js';

export { serveFile, startPublisher, type Publisher } from '../../testing/publisher.js';

/**
 * Sends a piece of a body and drops the connection once the unfinished file in `dir` has `size` bytes. An earlier drop
 * would lose bytes in transit.
 */
export function sendPiece(
  response: ServerResponse,
  piece: Buffer,
  arrived: { dir: string; size: number; folder?: string },
): void {
  response.write(piece);
  const timer = setInterval(() => {
    if (unfinishedBytes(arrived.dir, arrived.folder ?? 'feed') >= arrived.size) response.destroy();
  }, 5);
  response.on('close', () => {
    clearInterval(timer);
  });
}

function unfinishedBytes(dir: string, folder: string): number {
  const state = join(dir, '.state', folder);
  const [part] = readdirSync(state).filter((name) => name.endsWith('.part'));
  return part === undefined ? 0 : statSync(join(state, part)).size;
}

/** Limits for tests: no waits between tries, but long timeouts for a busy machine. */
export const TEST_LIMITS: FetchLimits = {
  tries: 3,
  backoffMs: 1,
  headersTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  budgetMs: 60_000,
  maxBytes: 1_000_000,
};

/** A download in a test. `download` is a URL or a whole declaration. */
export interface Trial {
  readonly dir: string;
  readonly download: string | (Omit<Download, 'minBytes'> & { readonly minBytes?: number });
  readonly name?: string;
  readonly container?: Container;
  readonly maxUnpackedBytes?: number;
  readonly context?: Partial<DownloadContext>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Downloads one file into `<dir>/feed`, in its own night. */
export async function tryDownload(trial: Trial): Promise<DownloadResult> {
  const { name = 'file.csv', container = 'plain', maxUnpackedBytes = 1_000_000, variables = {} } = trial;
  const given = typeof trial.download === 'string' ? { url: trial.download } : trial.download;
  const file = { folder: 'feed', name, container, required: true, take: 'latest', maxUnpackedBytes } as const;
  const [planned] = planDownloads([{ ...file, download: { minBytes: 1, ...given } }]);
  return download(planned!, {
    dir: trial.dir,
    since: new Date(8.64e15),
    limits: TEST_LIMITS,
    mirror: undefined,
    acceptSmall: false,
    readVariable: (name) => variables[name],
    now: () => new Date(),
    onBytes: () => undefined,
    ...trial.context,
  });
}
