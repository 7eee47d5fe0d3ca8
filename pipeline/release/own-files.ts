import type { ManifestInput, ManifestInputFile } from './contract.js';

/**
 * Returns the files of an input without IANA's special-purpose registries. These are read with every feed and list to
 * cut reserved space out; their rows count for the input `iana` only.
 */
export function ownFiles({ feed, files }: Pick<ManifestInput, 'feed' | 'files'>): ManifestInputFile[] {
  return files.filter(({ id }) => feed === REGISTRIES || !id.startsWith(`${REGISTRIES}/`));
}

/** Id and folder of the registries. */
const REGISTRIES = 'iana';
