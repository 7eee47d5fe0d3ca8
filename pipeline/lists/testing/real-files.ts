import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';

/** Publishers' own files, where a developer keeps them; laid out as an input folder. */
export const REAL_FILES = join(PROJECT_ROOT, '../shared/data/feeds');

/** Why a test that reads these files there is skipped; false where they are. */
export function withoutReal(ids: readonly string[]): string | false {
  const missing = ids.filter((id) => !existsSync(join(REAL_FILES, id)));
  return missing.length === 0 ? false : `no ${missing.join(', ')} in ${REAL_FILES}`;
}
