import assert from 'node:assert/strict';
import { z } from 'zod';
import { download } from '../datasets/download.js';
import { datasetName, requireDataset } from '../datasets/metadata.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** GET /api/datasets/{dataset} -> 200 | 206 | 304 | 416 the file; 400 no such dataset | 404 not built | 429 its limit */
export function datasetDownload({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/api/datasets/:dataset'],
    operationId: 'downloadDataset',
    tag: 'Datasets',
    summary: 'A whole MMDB file, or a range of it.',
    terms: { kind: 'download' },
    params: z.object({ dataset: datasetName }),
    query: z.object({}),
    shape: { kind: 'file' },
    answer: (call) => {
      const { dataset } = call.params;
      const file = requireDataset(call.snapshot, dataset);
      assert(call.account, 'a download has an account');
      const accountId = call.account.id;
      return () => download(call, { accountId, dataset, file }, downloads);
    },
  });
}
