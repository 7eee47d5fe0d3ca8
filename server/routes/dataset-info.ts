import { z } from 'zod';
import { datasetName, metadataOf, metadataSchema, requireDataset } from '../datasets/metadata.js';
import { ok } from '../http/answer.js';
import { defineRoute } from '../http/route.js';

/** GET /api/datasets/{dataset}/info -> 200 {code:0,data} | 400 unknown dataset | 404 not built */
export const datasetInfo = defineRoute({
  method: 'get',
  paths: ['/api/datasets/:dataset/info'],
  operationId: 'getDatasetInfo',
  tag: 'Datasets',
  summary: 'Size, digest and build of a dataset. Compare sha256 before you use a download.',
  terms: { kind: 'keyless', bucket: 'public' },
  errors: {
    400: 'Unknown dataset',
    404: 'The dataset has not been built',
  },
  params: z.object({ dataset: datasetName.describe('mmdb, asn or isp') }),
  query: z.object({}),
  shape: { kind: 'envelope', data: metadataSchema },
  answer: ({ params, snapshot }) => ok(metadataOf(requireDataset(snapshot, params.dataset))),
});
