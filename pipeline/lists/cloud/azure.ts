import { z } from 'zod';
import {
  AZURE_CLOUD,
  AZURE_FRONT_DOOR,
  AZURE_TAGS,
  newestTags,
  readAzureTags,
  type AzureTag,
} from '../../input/cloud/azure-tags.js';
import type { OpenFile } from '../../input/published-source.js';
import { JsonRows } from '../../input/rows/json-rows.js';
import type { List, ListSink } from '../list.js';
import { CLOUD_TERMS, edgeClaim, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

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
  files: AZURE_TAGS,
  cadence: 'weekly',
  ...CLOUD_TERMS,
  layers: ['front-door', 'region', 'cloud'],
  combine: ([frontDoor, inRegion, cloud]) => {
    const region = inRegion?.region;
    return frontDoor ? { ...frontDoor, ...(region !== undefined && { region }) } : (inRegion ?? cloud);
  },
  read: async (files, sinkFor) => {
    const newest = newestTags(files);
    if (newest) await readTags(newest, sinkFor(newest));
  },
};

const FRONT_DOOR_LAYER = 0;
const REGION_LAYER = 1;
const CLOUD_LAYER = 2;

async function readTags(file: OpenFile, sink: ListSink): Promise<void> {
  await readAzureTags(file, sink, tagSink(sink));
}

/** Creates a function that inserts the prefixes of one tag. */
function tagSink(sink: ListSink): (tag: AzureTag) => void {
  const edge = new CloudNetworks(sink, (label) => edgeClaim(PROVIDER, label), FRONT_DOOR_LAYER);
  const regions = new CloudNetworks(sink, (label) => hostingClaim(PROVIDER, label), REGION_LAYER);
  const cloud = new CloudNetworks(sink, () => hostingClaim(PROVIDER), CLOUD_LAYER);
  const rows = new JsonRows(sink);
  const put = (networks: CloudNetworks, prefixes: readonly unknown[], label: CloudLabel = {}): void => {
    rows.read(prefixes, z.string(), (prefix, position) => {
      networks.add(prefix, label, position);
    });
  };
  return ({ family, part, prefixes }) => {
    if (family === AZURE_CLOUD && part === '') put(cloud, prefixes);
    else if (family === AZURE_CLOUD) put(regions, prefixes, { region: part });
    else if (family === AZURE_FRONT_DOOR) put(edge, prefixes, { service: AZURE_FRONT_DOOR });
    else
      prefixes.forEach(() => {
        sink.note('skipped');
      });
  };
}
