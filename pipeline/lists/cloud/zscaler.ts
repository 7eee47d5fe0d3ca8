import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../../input/json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from '../../input/rows/json-rows.js';

/**
 * The networks from which customers of Zscaler, whole companies, access the internet
 * (https://config.zscaler.com/zscaler.net/hubs). They are enterprise proxies, not a cloud.
 */
export const ZSCALER: List = {
  id: 'zscaler',
  publisher: 'Zscaler',
  licence: {
    name: 'Zscaler hub IP addresses, published for everyone',
    url: 'https://config.zscaler.com/zscaler.net/hubs',
    terms: 'free',
  },
  files: [
    cloudFile('zscaler.json', {
      url: 'https://config.zscaler.com/api/zscaler.net/hubs/cidr/json/recommended',
      saveAs: 'zscaler.json',
      minBytes: 500,
    }),
  ],
  cadence: 'as networks change',
  ...CLOUD_TERMS,
  layers: ['hubs'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('zscaler', files, (file) => readHubs(file, sinkFor(file))),
};

const document = z.object({ hubPrefixes: z.array(z.unknown()).min(1) });

async function readHubs(file: OpenFile, sink: ListSink): Promise<void> {
  const { hubPrefixes } = await readJsonFile(file, document);
  const networks = new CloudNetworks(sink, () => ({ type: 'EPN', provider: 'Zscaler' }));
  new JsonRows(sink).read(hubPrefixes, z.string(), (prefix, position) => {
    networks.add(prefix, {}, position);
  });
}
