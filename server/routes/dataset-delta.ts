import assert from 'node:assert/strict';
import { z } from 'zod';
import { requireDelta } from '../datasets/changes.js';
import { download } from '../datasets/download.js';
import { requireDataset } from '../datasets/find-edition.js';
import { datasetName } from '../datasets/metadata.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** GET /api/datasets/{dataset}/changes/{delta} -> 200 | 206 | 304 | 416 the delta; 400 | 404 unknown delta | 429 limit */
export function datasetDelta({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/api/datasets/:dataset/changes/:delta'],
    operationId: 'downloadDatasetDelta',
    tag: 'Datasets',
    summary: 'A delta, or a byte range of it. `ipatlas pull` rebuilds the next file from it.',
    terms: { kind: 'download' },
    errors: {
      400: 'Unknown dataset, or the delta is no SHA-256',
      404: 'The dataset has not been built, or the release does not have this delta',
    },
    params: z.object({
      dataset: datasetName.describe('mmdb, asn or isp'),
      delta: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'invalid delta: expected a SHA-256 in lower-case hex')
        .describe('SHA-256 of the delta'),
    }),
    query: z.object({}),
    shape: { kind: 'file' },
    ownHeaders: [
      'Content-Disposition',
      'ETag',
      'Last-Modified',
      'Accept-Ranges',
      'Link',
      'X-Dataset-Hourly-Limit',
      'X-Dataset-Hourly-Used',
      'X-Dataset-Daily-Limit',
      'X-Dataset-Daily-Used',
    ],
    answer: (call) => {
      const { dataset: name, delta } = call.params;
      const dataset = requireDataset(call.snapshot, name);
      const file = requireDelta(dataset, delta);
      assert(call.account, 'a route that requires a key has an account');
      const asked = {
        accountId: call.account.id,
        dataset: `${name}-changes`,
        file,
        origin: dataset.origin,
      } as const;
      return () => download(call, asked, downloads);
    },
  });
}
