import { z } from 'zod';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readJsonFile } from '../json-file.js';
import type { List, ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { CLOUD_FOLDER, CLOUD_TERMS, edgeClaim, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from './json-rows.js';

const PLAIN = 'ServiceTags_Public_*.json';
const PACKED = 'ServiceTags_Public_*.json.gz';
const PROVIDER = 'Microsoft Azure';

/**
 * Service tags of Azure's public cloud (https://learn.microsoft.com/en-us/azure/virtual-network/service-tags-overview).
 * Tags overlap: `AzureCloud` contains all networks of customers, `AzureCloud.<region>` most of them by region, and
 * `AzureFrontDoor.*` the content delivery network, partly outside of both. The prefixes of other tags are skipped (note
 * `skipped`). The separate files for Government and China are not read.
 */
export const AZURE: List = {
  id: 'azure',
  publisher: 'Microsoft',
  licence: {
    name: 'Azure IP ranges and service tags, published for everyone',
    url: 'https://www.microsoft.com/en-us/download/details.aspx?id=56519',
    terms: 'free',
  },
  files: [
    {
      ...tagsFile(PLAIN, PACKED),
      download: {
        url: 'https://www.microsoft.com/en-us/download/details.aspx?id=56519',
        link: /https:\/\/download\.microsoft\.com\/download\/[\w./-]+\/ServiceTags_Public_\d{8}\.json/,
        minBytes: 1_000_000,
      },
    },
    { ...tagsFile(PACKED, PLAIN), container: 'gz' },
  ],
  cadence: 'weekly',
  ...CLOUD_TERMS,
  layers: ['front-door', 'region', 'cloud'],
  combine: ([frontDoor, inRegion, cloud]) => {
    const region = inRegion?.region;
    return frontDoor ? { ...frontDoor, ...(region !== undefined && { region }) } : (inRegion ?? cloud);
  },
  read: async (files, sinkFor) => {
    const newest = newestOf(files);
    if (newest) await readTags(newest, sinkFor(newest));
  },
};

const CLOUD = 'AzureCloud';
const FRONT_DOOR = 'AzureFrontDoor';
const FRONT_DOOR_LAYER = 0;
const REGION_LAYER = 1;
const CLOUD_LAYER = 2;

const document = z.object({ values: z.array(z.unknown()).min(1) });
const tag = z.object({
  name: z.string(),
  properties: z.object({ addressPrefixes: z.array(z.unknown()) }),
});

function tagsFile(name: string, other: string): PublishedFile {
  return { ...plainFile(CLOUD_FOLDER, name), take: 'latest', alternatives: [other] };
}

/** Returns the newest file by the date in its name. An older file would bring back removed networks. */
function newestOf(files: readonly OpenFile[]): OpenFile | undefined {
  const dateOf = ({ name }: OpenFile): string => name.replace(/\.gz$/, '');
  return [...files].sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1))[0];
}

async function readTags(file: OpenFile, sink: ListSink): Promise<void> {
  const { values } = await readJsonFile(file, document);
  const put = tagSink(sink);
  const names = new Set<string>();
  new JsonRows(sink).read(values, tag, ({ name, properties: { addressPrefixes } }) => {
    names.add(name);
    put(name, addressPrefixes);
  });
  if (!names.has(CLOUD)) throw new FeedError('header', file.id, `no tag ${CLOUD}`);
}

/** Creates a function that inserts the prefixes of one tag. */
function tagSink(sink: ListSink): (name: string, prefixes: readonly unknown[]) => void {
  const edge = new CloudNetworks(sink, (label) => edgeClaim(PROVIDER, label), FRONT_DOOR_LAYER);
  const regions = new CloudNetworks(sink, (label) => hostingClaim(PROVIDER, label), REGION_LAYER);
  const cloud = new CloudNetworks(sink, () => hostingClaim(PROVIDER), CLOUD_LAYER);
  const rows = new JsonRows(sink);
  const put = (networks: CloudNetworks, prefixes: readonly unknown[], label: CloudLabel = {}): void => {
    rows.read(prefixes, z.string(), (prefix, position) => {
      networks.add(prefix, label, position);
    });
  };
  return (name, prefixes) => {
    const [family, region] = partsOf(name);
    if (name === CLOUD) put(cloud, prefixes);
    else if (family === CLOUD) put(regions, prefixes, { region });
    else if (family === FRONT_DOOR) put(edge, prefixes, { service: FRONT_DOOR });
    else
      prefixes.forEach(() => {
        sink.note('skipped');
      });
  };
}

/** Splits `AzureCloud.eastus` at the dot. */
function partsOf(name: string): [family: string, part: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}
