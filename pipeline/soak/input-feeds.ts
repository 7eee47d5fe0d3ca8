import {
  cpSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../fuzz/random.js';

/** The address whose country tells the night of a release. */
export const MARKED_ADDRESS = '9.9.9.9';
const COUNTRIES = ['CH', 'DE', 'FR', 'JP', 'BR', 'ZA', 'IN'] as const;

/** Returns the country of MARKED_ADDRESS in the release of a night. Nights of the same week differ. */
export function countryOf(night: number): string {
  return COUNTRIES[night % COUNTRIES.length]!;
}

/** The feeds of the soak, as BUILD_FEEDS names them: small ones of every kind. */
export const SOAK_FEEDS = 'own,geolite2,tor,spamhaus';

/** The folders that are copied for these feeds. */
const FOLDERS = ['own', 'geolite2', 'gazetteer', 'iana', 'tor', 'spamhaus', 'whois-country', 'rir'];

/** Copies the bundled sample feeds and adds the marker of a night. Equal nights have equal files. */
export function writeFeeds(bundledDir: string, dir: string, night: number): void {
  rmSync(dir, { recursive: true, force: true });
  for (const folder of FOLDERS) cpSync(join(bundledDir, folder), join(dir, folder), { recursive: true });
  const overrides = join(dir, 'own/overrides.csv');
  const marker = `9.9.9.0/24,${countryOf(night)},,,,,Quad9,,night ${night}\n`;
  writeFileSync(overrides, readFileSync(overrides, 'utf8') + marker);
  for (const file of filesIn(dir)) utimesSync(file, MODIFIED, MODIFIED);
}

/** Cuts a file at a random byte, or overwrites a part of it with random bytes. Returns what was done. */
export function damageInput(dir: string, random: Random): string {
  const files = filesIn(dir).filter((path) => !path.endsWith('overrides.csv') && statSync(path).size > 0);
  const path = random.pick(files.sort());
  const { size } = statSync(path);
  if (random.once(2)) {
    truncateSync(path, random.below(size));
    return 'torn input';
  }
  const bytes = readFileSync(path);
  const start = random.below(size);
  for (let at = start; at < Math.min(size, start + 4096); at++) bytes[at] = random.below(256);
  writeFileSync(path, bytes);
  return 'garbage in an input';
}

const MODIFIED = new Date('2026-11-18T00:00:00Z');

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
