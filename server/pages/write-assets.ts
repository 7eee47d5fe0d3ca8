import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSET_DIR } from './assets.js';
import { assetSources } from './asset-sources.js';
import { writeDocs } from './docs/write-docs.js';

/** Writes all assets with the digests of their content in their names, and the documentation. Runs after the compiler. */
rmSync(ASSET_DIR, { recursive: true, force: true });
mkdirSync(ASSET_DIR, { recursive: true });
for (const [file, text] of assetSources()) {
  const [name, extension] = file.split('.');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  writeFileSync(join(ASSET_DIR, `${name!}-${digest}.${extension!}`), text);
}
writeDocs();
