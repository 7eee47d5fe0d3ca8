import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordFinder } from '../mmdb/record-finder.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import type { Finders } from './address-texts.js';
import { LOOKUP_FIELDS, type LookupDataset } from './fields.js';
import { LookupInputError } from './line-input.js';

/** The opened files of a folder, and the files that it lacks. */
export interface OpenedFinders {
  readonly finders: Finders;
  readonly missing: readonly string[];
}

/**
 * Reads the files that some fields need from a folder of MMDB files, such as a release. Throws LookupInputError when it
 * has none of them or one is damaged.
 */
export function openFinders(folder: string, fields: readonly string[]): OpenedFinders {
  const needed = new Set(fields.map((name) => LOOKUP_FIELDS.get(name)!));
  // An unknown ISP is shown as the organisation of the AS.
  if (fields.includes('isp')) needed.add('asn');
  const found = [...needed].filter((name) => existsSync(pathOf(folder, name)));
  const missing = [...needed].filter((name) => !found.includes(name)).map((name) => `${name}.mmdb`);
  if (found.length === 0) throw new LookupInputError(`${folder} has no ${missing.join(', ')}`);
  const finders = Object.fromEntries(found.map((name) => [name, openFinder(pathOf(folder, name))]));
  return { finders, missing };
}

function pathOf(folder: string, name: LookupDataset): string {
  return join(folder, `${name}.mmdb`);
}

function openFinder(path: string): RecordFinder {
  try {
    return new RecordFinder(readFileSync(path));
  } catch (cause) {
    if (!(cause instanceof MmdbError)) throw cause;
    throw new LookupInputError(`${path} is damaged: ${cause.message}`, { cause });
  }
}
