import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List } from '../list.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS } from './cloud-list.js';
import { readGeofeedNetworks } from './geofeed-networks.js';

/** Linode's networks, from its geofeed (https://geoip.linode.com/), with IPv4 in /24s. */
export const LINODE: List = {
  id: 'linode',
  publisher: 'Akamai (Linode)',
  licence: {
    name: 'Linode geofeed, published for everyone',
    url: 'https://geoip.linode.com/',
    terms: 'free',
  },
  files: [
    cloudFile('linode.txt', { url: 'https://geoip.linode.com/', saveAs: 'linode.txt', minBytes: 20_000 }),
  ],
  cadence: 'daily',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) =>
    readEach('linode', files, (file) => readGeofeedNetworks(file, sinkFor(file), 'Linode')),
};
