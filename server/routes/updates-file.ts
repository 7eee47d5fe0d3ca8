import assert from 'node:assert/strict';
import { z } from 'zod';
import { findEdition, updateOf } from '../datasets/updates.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { DOWNLOAD_HEADERS } from './updates-archive.js';

/** GET /geoip/databases/{edition}/update -> 200 gzip | 304 | 400 | 401 | 403 | 404 | 429, as HTTP statuses */
export function updatesFile({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/geoip/databases/:edition/update'],
    operationId: 'downloadUpdate',
    tag: 'Updates',
    summary: 'An edition as geoipupdate 3.1 to 6 download it: the MMDB file in gzip, if it is another one.',
    terms: { kind: 'download', login: 'basic' },
    failsWithStatus: true,
    errors: { 400: 'Invalid db_md5', 404: 'Unknown edition' },
    params: z.object({ edition: z.string().describe('Database type, such as GeoLite2-City') }),
    query: z.object({
      db_md5: z
        .string()
        .regex(/^[0-9a-f]{32}$/i, 'invalid db_md5: expected 32 hexadecimal digits')
        .exactOptional()
        .describe('Digest of the file that the caller has; zeros without one'),
    }),
    shape: { kind: 'file', type: 'application/gzip' },
    ownHeaders: [...DOWNLOAD_HEADERS, 'X-Database-MD5'],
    answer: (call) => {
      const edition = findEdition(call.snapshot, call.params.edition);
      assert(call.account, 'a route that requires a key has an account');
      const { method, headers, query } = call;
      const accountId = call.account.id;
      return () => updateOf({ method, headers, accountId }, { edition, md5: query.db_md5 }, downloads);
    },
  });
}
