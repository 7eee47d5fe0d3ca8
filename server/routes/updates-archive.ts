import assert from 'node:assert/strict';
import { z } from 'zod';
import { dayOf } from '../datasets/archive.js';
import { archiveOf, findEdition } from '../datasets/updates.js';
import { Failure } from '../failure.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** GET /geoip/databases/{edition}/download -> 200 tar.gz | 304 | 400 | 401 | 403 | 404 | 429, as HTTP statuses */
export function updatesArchive({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/geoip/databases/:edition/download'],
    operationId: 'downloadUpdateArchive',
    tag: 'Updates',
    summary: 'An edition as geoipupdate 7 and later download it: a tar archive in gzip.',
    terms: { kind: 'download', login: 'basic' },
    failsWithStatus: true,
    errors: { 400: 'Invalid date or suffix', 404: 'Unknown edition, or no longer that of this date' },
    params: z.object({ edition: z.string().describe('Database type, such as GeoLite2-City') }),
    query: z.object({
      date: z
        .string()
        .regex(/^\d{8}$/, 'invalid date: expected YYYYMMDD')
        .exactOptional()
        .describe('Day of the build, YYYYMMDD; the current one by default'),
      suffix: z.literal('tar.gz', 'invalid suffix: expected tar.gz').default('tar.gz').describe('Format'),
    }),
    shape: { kind: 'file', type: 'application/gzip' },
    ownHeaders: DOWNLOAD_HEADERS,
    answer: (call) => {
      const edition = findEdition(call.snapshot, call.params.edition);
      const day = dayOf(edition.file);
      const { date = day } = call.query;
      if (date !== day)
        throw new Failure(404, `no ${edition.file.type} of ${date}: the current one is of ${day}`);
      assert(call.account, 'a route that requires a key has an account');
      const { method, headers } = call;
      const accountId = call.account.id;
      return () => archiveOf({ method, headers, accountId }, edition, downloads);
    },
  });
}

/** Headers of a download by an updater. */
export const DOWNLOAD_HEADERS = [
  'Content-Disposition',
  'Last-Modified',
  'Link',
  'X-Dataset-Hourly-Limit',
  'X-Dataset-Hourly-Used',
  'X-Dataset-Daily-Limit',
  'X-Dataset-Daily-Used',
] as const;
