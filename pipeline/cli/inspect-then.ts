import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MOMENT_FORMS, parseMoment, releaseAt } from '../release/release-at.js';
import {
  listReleases,
  ReleaseError,
  releasesDir,
  type ListedRelease,
  type Release,
} from '../release/release-store.js';
import { openFile } from './inspect-file.js';
import { inspectAddress, type Inspection } from './inspect.js';
import { verdictSchema, type VerdictShown } from './inspect-records.js';
import type { AddressTarget } from './inspect-target.js';
import { findRelease } from './releases.js';
import { UsageError } from './usage-error.js';

/** A feed whose verdict about an address differs between a past release and the current one. */
export interface ChangedVerdict {
  readonly feed: string;
  /** Absent when the feed had no verdict then. */
  readonly before?: VerdictShown;
  /** Absent when it has none in the current release. */
  readonly after?: VerdictShown;
  /** A release that has the verdict of today, while the kept release before it has another one. */
  readonly changedIn: string;
}

/** What has changed for an address between a past release and the current one. */
export interface ChangesSince {
  readonly current: Inspection;
  readonly feeds: readonly ChangedVerdict[];
}

/**
 * Returns the release that was current at a moment: a date, which is the end of that day in UTC, or an RFC 3339 time.
 * Throws UsageError for any other text and for a time in the future, and ReleaseError if the release is not kept.
 */
export async function findReleaseAt(outputDir: string, text: string): Promise<Release> {
  const moment = parseMoment(text, Date.now());
  if (moment === 'form') throw new UsageError(`invalid --at "${text}": expected ${MOMENT_FORMS}`);
  if (moment === 'future') throw new UsageError(`invalid --at "${text}": the time is in the future`);
  const current = await findRelease(outputDir);
  const names = (await listReleases(outputDir)).map(({ id }) => id);
  const { found, oldest } = releaseAt(names, current.id, moment);
  if (found) return findRelease(outputDir, found.id);
  const since = oldest && new Date(oldest.builtMs).toISOString().replace('.000Z', 'Z');
  throw new ReleaseError(releasesDir(outputDir), `no release is kept from before ${since ?? 'now'}`);
}

/** Compares the records of an address in a past release with the current one. Throws ReleaseError. */
export async function changesSince(
  then: Inspection,
  target: AddressTarget,
  outputDir: string,
): Promise<ChangesSince> {
  const current = await findRelease(outputDir);
  const now = inspectAddress(target, current);
  const releases = releasesBetween(await listReleases(outputDir), then.release, current);
  const ids = [...new Set([...Object.keys(now.feeds), ...Object.keys(then.feeds)])];
  const feeds = ids.flatMap((feed): ChangedVerdict[] => {
    const [before, after] = [then, now].map(({ feeds }) => feeds[feed]?.record);
    if (isDeepStrictEqual(before, after)) return [];
    const changedIn = firstWith(after, releases, (release) => verdictOf(feed, target, release));
    return [{ feed, ...(before && { before }), ...(after && { after }), changedIn }];
  });
  return { current: now, feeds };
}

/** Returns the undamaged releases after one, up to the current one, the oldest first. */
function releasesBetween(listed: readonly ListedRelease[], id: string, current: Release): Release[] {
  const older = listed.findIndex((release) => release.id === id);
  const newer = listed.findIndex((release) => release.id === current.id);
  return listed
    .slice(newer, older)
    .filter((release) => 'manifest' in release)
    .reverse();
}

/**
 * Finds a release with the verdict of the last one, after one with another verdict: by bisection, because every step
 * reads a file. A verdict that changed several times has several such releases.
 */
function firstWith(
  verdict: VerdictShown | undefined,
  releases: readonly Release[],
  verdictIn: (release: Release) => VerdictShown | undefined,
): string {
  let [low, high] = [0, releases.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isDeepStrictEqual(verdictIn(releases[middle]!), verdict)) high = middle;
    else low = middle + 1;
  }
  return releases[high]!.id;
}

function verdictOf(
  feed: string,
  { address, family }: AddressTarget,
  release: Release,
): VerdictShown | undefined {
  return openFile(release, join('sources', `${feed}.mmdb`))?.lookupAs(verdictSchema, address, family)?.record;
}
