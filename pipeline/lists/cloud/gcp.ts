import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { GOOGLE_CLOUD_RANGES, GOOGLE_RANGES, readGoogleRanges } from '../../input/cloud/google-ranges.js';
import { CLOUD_TERMS, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

const { name: CLOUD } = GOOGLE_CLOUD_RANGES;
const CLOUD_LAYER = 0;
const GOOGLE_LAYER = 1;

/**
 * Google's address ranges (https://support.google.com/a/answer/10026322). `cloud.json` has the networks of Google Cloud
 * customers. `goog.json` has all networks of Google, in wider prefixes without a scope. Networks only in the second
 * file are Google's own services: their claim has the cloud `Google` without service and region.
 */
export const GCP: List = {
  id: 'gcp',
  publisher: 'Google',
  licence: {
    name: 'Google IP address ranges, published for everyone',
    url: 'https://support.google.com/a/answer/10026322',
    terms: 'free',
  },
  files: [GOOGLE_CLOUD_RANGES, GOOGLE_RANGES],
  cadence: 'daily',
  ...CLOUD_TERMS,
  layers: ['cloud', 'google'],
  combine: ([cloud, google]) => cloud ?? google,
  read: async (files, sinkFor, { log }) => {
    if (!files.some(({ name }) => name === CLOUD)) {
      log(`gcp: without ${CLOUD}, networks of its customers are listed as Google's own`);
    }
    await readEach('gcp', files, (file) => readRanges(file, networksOf(file, sinkFor(file))));
  },
};

interface Target {
  readonly sink: ListSink;
  readonly networks: CloudNetworks;
}

function networksOf({ name }: OpenFile, sink: ListSink): Target {
  const networks =
    name === CLOUD
      ? new CloudNetworks(sink, customersClaim, CLOUD_LAYER)
      : new CloudNetworks(sink, () => hostingClaim('Google'), GOOGLE_LAYER);
  return { sink, networks };
}

function customersClaim(label: CloudLabel): ListClaim {
  return hostingClaim('Google Cloud', label);
}

async function readRanges(file: OpenFile, { sink, networks }: Target): Promise<void> {
  for (const { prefix, service, scope, position } of await readGoogleRanges(file, sink)) {
    networks.add(prefix, { service, region: scope }, position);
  }
}
