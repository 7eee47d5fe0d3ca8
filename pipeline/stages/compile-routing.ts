import { WRITER_VERSION } from '../mmdb/write.js';
import { keyOfDataset, type DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema } from './ingest.js';
import type { StageContext } from './stage.js';

/** Plans the routing datasets. Without a RIB there are none. */
export function planRouting({ settings, children, log }: StageContext): DatasetPlan {
  const ingests = settings.sources.map((source) => ingestResultSchema.parse(children[`ingest:${source}`]));
  const inputs = ingests
    .map(({ input }) => input)
    .filter(({ files, refusals }) => files.length + refusals.length > 0);
  return {
    key: keyOfDataset([`writer ${WRITER_VERSION}`], ingests, settings),
    inputs,
    compile: () => {
      log('no routing table (RIB): no routing datasets');
      return Promise.resolve({ files: [], indexes: [], counters: {}, inputs });
    },
  };
}
