import { readEach } from '../feeds/read-each.js';
import { onlyLayer, type List } from '../lists/list.js';
import { CLOUD_TERMS, cloudFile } from './cloud-list.js';
import { readGeofeedNetworks } from './geofeed-networks.js';

/** Linode's networks, as its geofeed names them (https://geoip.linode.com/), in pieces of a /24 and behind comments. */
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
