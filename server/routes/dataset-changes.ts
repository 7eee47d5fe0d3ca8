import assert from 'node:assert/strict';
import { z } from 'zod';
import { deltasSince, notificationOf, notificationSchema, rowsOf } from '../datasets/changes.js';
import { requireDataset } from '../datasets/find-edition.js';
import { datasetName } from '../datasets/metadata.js';
import { takeMetered } from '../datasets/metered-file.js';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** GET /api/datasets/{dataset}/changes -> {code, data: notification} or CSV | 400 | 404 unknown `since`, not built | 429 */
export function datasetChanges({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/api/datasets/:dataset/changes'],
    operationId: 'listDatasetChanges',
    tag: 'Datasets',
    summary:
      'The deltas that lead from a file of a dataset to the current one, or with `format=csv` the changed fields of each network.',
    terms: { kind: 'download' },
    errors: {
      400: 'Unknown dataset or format, or `since` is no SHA-256',
      404: 'The dataset has not been built, or there are no changes since that file: download the whole file',
    },
    params: z.object({ dataset: datasetName.describe('mmdb, asn or isp') }),
    query: z.object({
      since: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'invalid since: expected the SHA-256 of a file in lower-case hex')
        .exactOptional()
        .describe('SHA-256 of the file that you have; without it, all deltas are listed'),
      format: z
        .enum(['json', 'csv'], 'invalid format: expected json or csv')
        .default('json')
        .describe(
          '`csv`: build time, network, field, value before and after; counts as a download of changes',
        ),
    }),
    shape: { kind: 'envelope', data: notificationSchema, csv: true },
    answer: ({ params, query, snapshot, account, method }) => {
      const { dataset: name } = params;
      const dataset = requireDataset(snapshot, name);
      const deltas = deltasSince(name, dataset, query.since);
      if (query.format === 'json') return ok(notificationOf(name, dataset, deltas));
      assert(account, 'a route that requires a key has an account');
      return async () => {
        const asked = { accountId: account.id, dataset: `${name}-changes` } as const;
        const counted = method === 'HEAD' ? {} : (await takeMetered(asked, downloads)).headers;
        const headers = { 'Content-Type': 'text/csv; charset=utf-8', ...counted };
        return { kind: 'stream', status: 200, headers, stream: rowsOf(deltas) };
      };
    },
  });
}
