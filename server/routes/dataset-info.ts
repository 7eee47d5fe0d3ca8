import { z } from 'zod';
import { datasetName, metadataOf, metadataSchema, requireDataset } from '../datasets/metadata.js';
import { ok } from '../http/answer.js';
import { defineRoute } from '../http/route.js';

/** GET /api/datasets/{dataset}/info -> 200 {code:0,data} | 400 no such dataset | 404 not built */
export const datasetInfo = defineRoute({
  method: 'get',
  paths: ['/api/datasets/:dataset/info'],
  operationId: 'getDatasetInfo',
  tag: 'Datasets',
  summary: 'Size, digest and build of a downloadable file; compare sha256 before spending a download.',
  terms: { kind: 'keyless', bucket: 'public' },
  params: z.object({ dataset: datasetName }),
  query: z.object({}),
  shape: { kind: 'envelope', data: metadataSchema },
  answer: ({ params, snapshot }) => ok(metadataOf(requireDataset(snapshot, params.dataset))),
});
