import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dayOfMs } from '../lists/days.js';
import { readList } from '../lists/list-file.js';
import { readMmdbFile } from '../mmdb/read.js';
import type { ManifestInput } from '../release/contract.js';
import { peeringIndexSchema } from '../routing/peering-index.js';
import { isOutdated } from '../service/list-age.js';
import type { IspTable, ListInput, OriginTable } from '../service/service.js';
import { confirmedMs } from './confirmed-files.js';
import type { CompileResult } from './dataset-plan.js';
import type { IngestResult } from './ingest.js';
import { ISP_FEEDS } from './isp-feeds.js';
import { newestDay, readListDays, type ListDays } from './list-days.js';
import { listById } from './lists.js';
import { buildEpochOf, type BuildSettings } from './settings.js';
import { REGISTRY_FOLDER } from './sources.js';

/** A list that something is kept of, before it is loaded. */
export interface KeptList {
  readonly input: ManifestInput;
  readonly dir: string;
  readonly days: ListDays;
  /** Days since 1970, as in `ListInput`: of the oldest file what is said is dated by, of the newest its age. */
  readonly day: number;
  readonly renewed: number;
  readonly today: number;
}

/** What is kept of a list, and how old it is; none when nothing of it was usable. */
export function keptList({ input, kept }: IngestResult, settings: BuildSettings): KeptList[] {
  if (!kept) return [];
  const now = dayOfMs(buildEpochOf(settings) * 1000);
  const days = readListDays(kept.dir);
  const own = ownFiles(input);
  const day = Math.min(now, ...own.map(({ modified }) => dayOfMs(Date.parse(modified))));
  const renewed = Math.min(now, Math.max(...own.map((file) => dayOfMs(confirmedMs(file)))));
  const today = settings.live ? now : newestDay(days, { dayOfCopy: day, now });
  return [{ input, dir: kept.dir, days, day, renewed, today }];
}

/** Loads a list as the merge takes it. Throws what `readList` throws. */
export function loadList(list: KeptList): ListInput {
  const { input, dir, day, renewed, today } = list;
  return { ...readList(dir), id: input.feed, day, renewed, today, maxAgeDays: maxAgeOf(list) };
}

/** Whether the merge will not hear it. */
export function isTooOld(list: KeptList): boolean {
  return isOutdated({ ...list, maxAgeDays: maxAgeOf(list) });
}

/** Who announces addresses, out of an edition of `asn.mmdb`; absent where there is none. */
export function loadOrigins(routing: CompileResult | undefined, name: string): OriginTable | undefined {
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

/** PeeringDB's types of networks by AS number, out of `peering.json`; empty where there is none. */
export function loadNetworkTypes(routing: CompileResult | undefined): Map<number, string> {
  const path = pathOf(routing, 'peering.json');
  if (path === undefined) return new Map();
  const { nets } = peeringIndexSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return new Map(nets.flatMap(({ asn, info_type: type }) => (type === undefined ? [] : [[asn, type]])));
}

/** ISPs as the feeds spell them, out of their verdicts. A feed that names none is left out. */
export function loadIspTables(geo: CompileResult): IspTable[] {
  return ISP_FEEDS.flatMap((feed): IspTable[] => {
    const path = pathOf(geo, `sources/${feed}.mmdb`);
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

/** A dataset's file by its name, wherever it lies: it may be the current release's. */
function pathOf(compiled: CompileResult | undefined, name: string): string | undefined {
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
