import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reader, type CityResponse } from 'maxmind';
import { currentId, listReleases, releaseDir, ReleaseError } from '../release/release-store.js';
import { verifyRelease } from '../release/verify-release.js';
import { MARKED_ADDRESS } from './input-feeds.js';

/** What must hold for the releases of an output folder at any time. */
export interface Expectation {
  /** Countries of MARKED_ADDRESS that `current` may have. Empty before the first release: it may then be absent. */
  readonly countries: readonly string[];
  /** Least number of whole releases. */
  readonly releases: number;
}

/** The state of an output folder: the current release, and the broken guarantees, one line each. */
export interface OutputCheck {
  /** Absent without a usable current release. */
  readonly id?: string;
  /** The country of MARKED_ADDRESS in the current release. */
  readonly country?: string;
  readonly problems: readonly string[];
}

/**
 * Reads every byte of every release of an output folder and compares it with what must hold. A server that follows a
 * store may bring and remove releases meanwhile: a release that is gone afterwards is not torn.
 */
export async function checkOutput(outputDir: string, expected: Expectation): Promise<OutputCheck> {
  const problems: string[] = [];
  const holds = async (what: string, check: () => Promise<unknown>): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      problems.push(`${what}: ${error.message}`);
      return false;
    }
  };
  let id: string | undefined;
  // Read before the list: a release that becomes current later is not in it.
  await holds('current', async () => (id = await currentId(outputDir)));
  const releases = await listReleases(outputDir);
  let whole = 0;
  for (const { id, dir } of releases) {
    if (await holds(`release ${id}`, () => verifyRelease(dir))) whole++;
    else if (!existsSync(dir)) problems.pop();
  }
  if (whole < expected.releases)
    problems.push(`${whole} whole releases; expected at least ${expected.releases}`);
  if (id === undefined || !releases.some((release) => release.id === id)) {
    if (expected.countries.length > 0) problems.push(`current is ${id ?? 'absent'}, which is no release`);
    return { problems };
  }
  const country = await countryIn(releaseDir(outputDir, id));
  if (expected.countries.length > 0 && !expected.countries.includes(country ?? 'none')) {
    const allowed = expected.countries.join(' or ');
    problems.push(`current ${id} has ${MARKED_ADDRESS} in ${country ?? 'no country'}; expected ${allowed}`);
  }
  return { id, ...(country !== undefined && { country }), problems };
}

/** Returns the country of MARKED_ADDRESS, read with the library that clients use. */
async function countryIn(dir: string): Promise<string | undefined> {
  const bytes = await readFile(join(dir, 'geo.mmdb'));
  return new Reader<CityResponse>(bytes).get(MARKED_ADDRESS)?.country?.iso_code;
}
