import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../../input/json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS, edgeClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from '../../input/rows/json-rows.js';

/** The networks of Fastly's edge (https://www.fastly.com/documentation/reference/api/utils/public-ip-list/). */
export const FASTLY: List = {
  id: 'fastly',
  publisher: 'Fastly',
  licence: {
    name: 'Fastly public IP list, published for everyone',
    url: 'https://www.fastly.com/documentation/reference/api/utils/public-ip-list/',
    terms: 'free',
  },
  files: [cloudFile('public-ip-list', { url: 'https://api.fastly.com/public-ip-list', minBytes: 100 })],
  cadence: 'rarely',
  ...CLOUD_TERMS,
  layers: ['edge'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('fastly', files, (file) => readRanges(file, sinkFor(file))),
};

const document = z.object({
  addresses: z.array(z.unknown()).min(1),
  ipv6_addresses: z.array(z.unknown()),
});

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const { addresses, ipv6_addresses } = await readJsonFile(file, document);
  const networks = new CloudNetworks(sink, (label) => edgeClaim('Fastly', label));
  new JsonRows(sink).read([...addresses, ...ipv6_addresses], z.string(), (prefix, position) => {
    networks.add(prefix, { service: 'CDN' }, position);
  });
}
