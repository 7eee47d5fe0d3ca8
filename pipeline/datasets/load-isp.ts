import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dayOfMs } from '../lists/days.js';
import { readList } from '../lists/list-file.js';
import { readMmdbFile } from '../mmdb/read.js';
import type { ManifestInput } from '../release/contract.js';
import { peeringIndexSchema } from '../routing/peering-index.js';

import { isOutdated, type IspTable, type ListInput, type OriginTable } from '../isp/isp-inputs.js';
import { confirmedMs } from '../snapshot/confirmed-files.js';
import type { LocatedDataset } from './dataset-folder.js';
import type { LocatedIngest } from './located.js';
import { ISP_FEEDS } from '../feeds/feed-id.js';
import { newestDay, readListDays, type ListDays } from '../ingest/list-days.js';
import { listById } from '../lists/catalogue.js';
import { buildEpochOf, type BuildSettings } from '../stage/settings.js';
import { REGISTRY_FOLDER } from '../snapshot/sources.js';

/** A list with a normalised copy on disk, before it is loaded. */
export interface KeptList {
  readonly input: ManifestInput;
  readonly dir: string;
  readonly days: ListDays;
  /** Days since 1970-01-01, as in `ListInput`: `day` of the oldest file, `renewed` of the newest. */
  readonly day: number;
  readonly renewed: number;
  readonly today: number;
}

/** Returns the normalised copy of a list with its days; none when no file of it was usable. */
export function keptList({ input, kept }: LocatedIngest, settings: BuildSettings): KeptList[] {
  if (!kept) return [];
  const now = dayOfMs(buildEpochOf(settings) * 1000);
  const days = readListDays(kept.dir);
  const own = ownFiles(input);
  const day = Math.min(now, ...own.map(({ modified }) => dayOfMs(Date.parse(modified))));
  const renewed = Math.min(now, Math.max(...own.map((file) => dayOfMs(confirmedMs(file)))));
  const today = settings.live ? now : newestDay(days, { dayOfCopy: day, now });
  return [{ input, dir: kept.dir, days, day, renewed, today }];
}

/** Loads a list as an input of `isp.mmdb`. Throws what `readList` throws. */
export function loadList(list: KeptList): ListInput {
  const { input, dir, day, renewed, today } = list;
  return { ...readList(dir), id: input.feed, day, renewed, today, maxAgeDays: maxAgeOf(list) };
}

/** Returns whether a list is outdated, so that `isp.mmdb` leaves it out. */
export function isTooOld(list: KeptList): boolean {
  return isOutdated({ ...list, maxAgeDays: maxAgeOf(list) });
}

/** Loads the announcing ASes from an edition of `asn.mmdb`; undefined when there is none. */
export function loadOrigins(routing: LocatedDataset | undefined, name: string): OriginTable | undefined {
  const path = pathOf(routing, name);
  if (path === undefined) return undefined;
  const { table, records } = readMmdbFile(path);
  const origins = z.array(originSchema).parse(records);
  return {
    table,
    records: origins.map((origin) => ({
      asn: origin.autonomous_system_number,
      ...present('organisation', origin.autonomous_system_organization),
      ...present('name', origin.as_name),
      ...present('domain', origin.as_domain),
    })),
  };
}

/** Loads PeeringDB's types of networks by AS number from `peering.json`; empty when there is none. */
export function loadNetworkTypes(routing: LocatedDataset | undefined): Map<number, string> {
  const path = pathOf(routing, 'peering.json');
  if (path === undefined) return new Map();
  const { nets } = peeringIndexSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return new Map(nets.flatMap(({ asn, info_type: type }) => (type === undefined ? [] : [[asn, type]])));
}

/** Loads the ISP names of the feeds from their files of verdicts. Feeds without ISP names are left out. */
export function loadIspTables(verdicts: ReadonlyMap<string, string>): IspTable[] {
  return ISP_FEEDS.flatMap((feed): IspTable[] => {
    const path = verdicts.get(feed);
    if (path === undefined) return [];
    const { table, records } = readMmdbFile(path);
    const isps = z
      .array(verdictSchema)
      .parse(records)
      .map(({ isp }) => isp);
    return isps.some((isp) => isp !== undefined) ? [{ feed, table, isps }] : [];
  });
}

const originSchema = z.object({
  autonomous_system_number: z.int(),
  autonomous_system_organization: z.string().optional(),
  as_name: z.string().optional(),
  as_domain: z.string().optional(),
});
const verdictSchema = z.object({ isp: z.string().optional() });

/** Returns whether `isp.mmdb` is made from this file of the routing datasets. */
export function isReadForIsp(name: string): boolean {
  return READ_FOR_ISP.has(name);
}

const READ_FOR_ISP: ReadonlySet<string> = new Set(['asn.mmdb', 'download/asn.mmdb', 'peering.json']);

/** Returns the path of a dataset's file by its name. */
function pathOf(compiled: LocatedDataset | undefined, name: string): string | undefined {
  const names = compiled && [...compiled.files.map(({ file }) => file), ...compiled.indexes];
  return names?.some((file) => file.name === name) ? join(compiled!.dir, name) : undefined;
}

function maxAgeOf({ input }: KeptList): number {
  return listById(input.feed)!.maxAgeDays;
}

function ownFiles({ files }: ManifestInput): ManifestInput['files'] {
  return files.filter(({ id }) => !id.startsWith(`${REGISTRY_FOLDER}/`));
}

function present<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
