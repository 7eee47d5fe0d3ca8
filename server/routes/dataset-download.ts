import assert from 'node:assert/strict';
import { z } from 'zod';
import { download } from '../datasets/download.js';
import { requireDataset, requireEdition } from '../datasets/find-edition.js';
import { datasetName, edition } from '../datasets/metadata.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/**
 * GET /api/datasets/{dataset} -> 200 | 206 | 304 | 416 the file; 400 unknown dataset or edition | 404 not built | 429 download
 * limit
 */
export function datasetDownload({ downloads }: Pick<Parts, 'downloads'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/api/datasets/:dataset'],
    operationId: 'downloadDataset',
    tag: 'Datasets',
    summary: 'An MMDB file, or a byte range of it.',
    terms: { kind: 'download' },
    errors: {
      400: 'Unknown dataset or edition',
      404: 'The dataset has not been built',
    },
    params: z.object({ dataset: datasetName.describe('mmdb, asn or isp') }),
    query: z.object({ edition }),
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
      const { dataset } = call.params;
      const found = requireDataset(call.snapshot, dataset);
      const file = requireEdition(found, call.query.edition);
      const { origin } = found;
      assert(call.account, 'a route that requires a key has an account');
      const accountId = call.account.id;
      return () => download(call, { accountId, dataset, file, origin }, downloads);
    },
  });
}
