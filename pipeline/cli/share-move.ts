import { existsSync } from 'node:fs';
import { buildLockPath } from '../release/release-store.js';
import { openStore } from '../store/open-store.js';
import { RemoteTier } from '../store/remote-tier.js';
import { shareCurrent } from '../store/share-release.js';
import { StoreError } from '../store/store-error.js';
import { storeOf, type Environment } from './environment.js';
import { UsageError } from './usage-error.js';

/**
 * Moves `current` with `move`, and with a STORE the current release of the store too. Returns the result and a text about
 * the store. Throws UsageError in a folder that follows the store: its releases are not made there. Throws StoreError if
 * only the store could not be moved.
 */
export async function moveEverywhere<T>(
  environment: Environment,
  move: () => Promise<T>,
): Promise<{ readonly moved: T; readonly inStore: string }> {
  const { outputDir } = environment;
  const store = storeOf(environment);
  if (!store) return { moved: await move(), inStore: '' };
  if (!existsSync(buildLockPath(outputDir))) {
    throw new UsageError(
      `no build has run in ${outputDir}, which may follow ${store.url}: run this with the OUTPUT of the build`,
    );
  }
  const moved = await move();
  const remote = new RemoteTier(() => openStore(store), { log: () => undefined, patienceMs: 0 });
  try {
    await shareCurrent(outputDir, remote);
    return { moved, inStore: `; ${store.url} follows` };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const found = `${error.found}. ${outputDir} was changed, the store was not: the next build changes it too`;
    throw new StoreError(error.where, found, { cause: error });
  } finally {
    await remote.close();
  }
}
