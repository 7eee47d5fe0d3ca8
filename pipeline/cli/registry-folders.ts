import { join } from 'node:path';
import type { Environment } from './environment.js';

/** Returns the folders of the registries' files that the server reads: downloaded ones first, then the bundled ones. */
export function registryFolders({ bundledFeedsDir, outputDir }: Environment): {
  readonly registryDir: string;
  readonly rdapDirs: readonly string[];
} {
  return {
    registryDir: join(bundledFeedsDir, 'iana'),
    rdapDirs: [join(outputDir, 'downloads', 'rdap'), join(bundledFeedsDir, 'rdap')],
  };
}
