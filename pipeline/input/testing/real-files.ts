import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';

/** The input folder with the real files of publishers. */
export const REAL_FILES = join(PROJECT_ROOT, '../shared/data/feeds');

/** Returns the `skip` option of a test that reads these real files: a reason when one is missing, else false. */
export function withoutReal(ids: readonly string[]): string | false {
  const missing = ids.filter((id) => !existsSync(join(REAL_FILES, id)));
  return missing.length === 0 ? false : `no ${missing.join(', ')} in ${REAL_FILES}`;
}
