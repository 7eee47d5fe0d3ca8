import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SNAPSHOT } from '../../../fixtures/generate/geolite2.js';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import type { OpenFile } from '../../input/published-source.js';

/** Returns the fixture files of the gazetteer. */
export function fixtureFiles(): OpenFile[] {
  const folder = join(PROJECT_ROOT, 'fixtures/feeds/gazetteer');
  const plain = readdirSync(folder)
    .sort()
    .map((name) => openFileAt(join(folder, name), 'plain'));
  return [...plain, openFileAt(join(PROJECT_ROOT, `fixtures/feeds/geolite2/${SNAPSHOT}.zip`), 'zip')];
}
