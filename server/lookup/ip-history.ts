import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { MOMENT_FORMS, parseMoment, type Moment } from '../../pipeline/release/release-at.js';
import { Failure } from '../failure.js';
import type { KeptRecords } from '../release/kept-release.js';
import type { RecordTables } from '../release/snapshot.js';
import {
  ipRecordSchema,
  sourceVerdictSchema,
  type IpRecord,
  type SourceVerdict,
} from './ip-record-schema.js';

/** `history` of a lookup with `at`. */
export const historySchema = z.strictObject({
  release: z.string().describe('The release that was current then'),
  built: z.iso.datetime().describe('When its build began'),
  current: z.string().describe('The current release'),
  changed: z
    .array(z.string())
    .describe('Fields of the record whose values differ in the current release; empty if none'),
  sources: z
    .array(
      z.strictObject({
        source: z.string().describe('Name of the database'),
        then: sourceVerdictSchema.nullable().describe('Its verdict then; null if it had none'),
        now: sourceVerdictSchema
          .nullable()
          .describe('Its verdict in the current release; null if it has none'),
      }),
    )
    .describe('The databases whose verdicts differ between the two releases'),
});
export type IpHistory = z.infer<typeof historySchema>;

/** `data` of a lookup. */
export const lookedUpSchema = ipRecordSchema.extend({
  history: historySchema.exactOptional().describe('Only with `at`'),
});

/** Parses the parameter `at`. Throws Failure(400) for another form, and for a time in the future. */
export function requireMoment(text: string, nowMs: number): Moment {
  const moment = parseMoment(text, nowMs);
  if (moment === 'form') throw new Failure(400, `invalid at: expected ${MOMENT_FORMS}`);
  if (moment === 'future') throw new Failure(400, 'invalid at: the time is in the future');
  return moment;
}

/** Returns tables that have the records of one address, whatever the address. */
export function tablesOf({ place, isp, announcer, route, network, verdicts }: KeptRecords): RecordTables {
  return {
    places: { get: () => place },
    isp: { get: () => isp },
    announcers: { get: () => announcer },
    routes: { get: () => route },
    networkOf: () => network,
    verdicts: new Map(verdicts.map(([feed, verdict]) => [feed, { get: () => verdict }])),
  };
}

/** Returns the names of the fields whose values differ. */
export function changedFields(then: IpRecord, now: IpRecord): string[] {
  const [before, after] = [then, now] as readonly Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...names].filter((name) => !isDeepStrictEqual(before![name], after![name]));
}

/** Returns the databases whose verdicts differ, in the order of the current release. */
export function changedSources(
  then: readonly SourceVerdict[],
  now: readonly SourceVerdict[],
): IpHistory['sources'] {
  const [before, after] = [then, now].map((list) => new Map(list.map((one) => [one.source, one])));
  return [...new Set([...after!.keys(), ...before!.keys()])]
    .map((source) => ({ source, then: before!.get(source) ?? null, now: after!.get(source) ?? null }))
    .filter((pair) => !isDeepStrictEqual(pair.then, pair.now));
}
