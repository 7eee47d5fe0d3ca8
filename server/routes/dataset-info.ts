import { z } from 'zod';
import { requireDataset, requireEdition } from '../datasets/find-edition.js';
import { licenceLink } from '../datasets/licence-link.js';
import { datasetName, edition, metadataOf, metadataSchema } from '../datasets/metadata.js';
import { defineRoute } from '../http/route.js';

/** GET /api/datasets/{dataset}/info -> 200 {code:0,data} | 400 unknown dataset or edition | 404 not built */
export const datasetInfo = defineRoute({
  method: 'get',
  paths: ['/api/datasets/:dataset/info'],
  operationId: 'getDatasetInfo',
  tag: 'Datasets',
  summary:
    'Size, digest, build, licence and coverage of a dataset. Compare sha256 before you use a download.',
  terms: { kind: 'keyless', bucket: 'public' },
  errors: {
    400: 'Unknown dataset or edition',
    404: 'The dataset has not been built',
  },
  params: z.object({ dataset: datasetName.describe('mmdb, asn or isp') }),
  query: z.object({ edition }),
  shape: { kind: 'envelope', data: metadataSchema },
  ownHeaders: ['Link'],
  answer: ({ params, query, snapshot }) => {
    const dataset = requireDataset(snapshot, params.dataset);
    const data = metadataOf(dataset, requireEdition(dataset, query.edition));
    return { kind: 'json', body: { code: 0, data }, headers: licenceLink(dataset.origin) };
  },
});
