import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../json-file.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { CLOUD_TERMS, cloudFile, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from './json-rows.js';

const CLOUD = 'cloud.json';
const GOOG = 'goog.json';
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
  files: [
    cloudFile(CLOUD, { url: `https://www.gstatic.com/ipranges/${CLOUD}`, minBytes: 20_000 }),
    cloudFile(GOOG, { url: `https://www.gstatic.com/ipranges/${GOOG}`, minBytes: 1_000 }),
  ],
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

const document = z.object({ prefixes: z.array(z.unknown()).min(1) });
const labels = { service: z.string().optional(), scope: z.string().optional() };
const row = z.union([
  z
    .object({ ipv4Prefix: z.string(), ...labels })
    .transform(({ ipv4Prefix, ...rest }) => [ipv4Prefix, rest] as const),
  z
    .object({ ipv6Prefix: z.string(), ...labels })
    .transform(({ ipv6Prefix, ...rest }) => [ipv6Prefix, rest] as const),
]);

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
  const { prefixes } = await readJsonFile(file, document);
  new JsonRows(sink).read(prefixes, row, ([prefix, { service, scope }], position) => {
    networks.add(prefix, { service, region: scope }, position);
  });
}
