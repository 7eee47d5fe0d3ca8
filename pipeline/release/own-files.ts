import type { ManifestInput, ManifestInputFile } from './contract.js';

/**
 * The files that are an input's own. IANA's registries of special-purpose space are read along with every feed and list,
 * which may not speak about such space: their rows are `iana`'s and nobody else's.
 */
export function ownFiles({ feed, files }: Pick<ManifestInput, 'feed' | 'files'>): ManifestInputFile[] {
  return files.filter(({ id }) => feed === REGISTRIES || !id.startsWith(`${REGISTRIES}/`));
}

/** The registries' source, and their folder. */
const REGISTRIES = 'iana';
