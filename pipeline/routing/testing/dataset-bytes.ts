import { encodeMmdb } from '../../mmdb/write.js';
import type { RoutingDataset } from '../parts.js';

/** Encodes a dataset as an MMDB file. */
export function datasetBytes(dataset: RoutingDataset): Buffer {
  return encodeMmdb({ ...dataset, languages: ['en'], ipVersion: 6, buildEpoch: 1_760_000_000 });
}
