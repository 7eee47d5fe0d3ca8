import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../../input/json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS, hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from '../../input/rows/json-rows.js';

/**
 * Vultr's networks, from its geofeed in JSON (https://geofeed.constant.com/?json). `region` is an ISO 3166-2 code
 * there; the city is used as the cloud's region. The file has contained documentation and 6to4 space, which is
 * rejected.
 */
export const VULTR: List = {
  id: 'vultr',
  publisher: 'Vultr (The Constant Company)',
  licence: {
    name: 'Vultr geofeed, published for everyone',
    url: 'https://geofeed.constant.com/',
    terms: 'free',
  },
  files: [
    cloudFile('vultr.json', {
      url: 'https://geofeed.constant.com/?json',
      saveAs: 'vultr.json',
      minBytes: 5_000,
    }),
  ],
  cadence: 'as networks change',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('vultr', files, (file) => readSubnets(file, sinkFor(file))),
};

const document = z.object({ subnets: z.array(z.unknown()).min(1) });
const row = z.object({ ip_prefix: z.string(), city: z.string().nullish() });

async function readSubnets(file: OpenFile, sink: ListSink): Promise<void> {
  const { subnets } = await readJsonFile(file, document);
  const networks = new CloudNetworks(sink, (label) => hostingClaim('Vultr', label));
  new JsonRows(sink).read(subnets, row, ({ ip_prefix, city }, position) => {
    networks.add(ip_prefix, { region: city?.trim() }, position);
  });
}
