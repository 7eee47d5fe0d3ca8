import { z } from 'zod';
import type { OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import { readJsonFile } from '../lists/json-file.js';
import { onlyLayer, type List, type ListSink } from '../lists/list.js';
import { CLOUD_TERMS, cloudFile, hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from './json-rows.js';

/**
 * Vultr's networks, as its geofeed names them in JSON (https://geofeed.constant.com/?json). `region` is an ISO 3166-2
 * code there; the region of the cloud is the city. It has named documentation and 6to4 space, which is refused.
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
