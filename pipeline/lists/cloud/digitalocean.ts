import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List } from '../list.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS } from './cloud-list.js';
import { readGeofeedNetworks } from './geofeed-networks.js';

/** DigitalOcean's networks, from its geofeed without a header (https://www.digitalocean.com/geo/google.csv). */
export const DIGITALOCEAN: List = {
  id: 'digitalocean',
  publisher: 'DigitalOcean',
  licence: {
    name: 'DigitalOcean geofeed, published for everyone',
    url: 'https://www.digitalocean.com/geo/google.csv',
    terms: 'free',
  },
  files: [cloudFile('google.csv', { url: 'https://digitalocean.com/geo/google.csv', minBytes: 10_000 })],
  cadence: 'as networks change',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) =>
    readEach('digitalocean', files, (file) => readGeofeedNetworks(file, sinkFor(file), 'DigitalOcean')),
};
