import { z } from 'zod';
import { FeedError } from '../feed-error.js';
import { readJsonFile } from '../json-file.js';
import type { OpenFile, PublishedFile } from '../published-source.js';
import { JsonRows, type RejectedRows } from '../rows/json-rows.js';
import { cloudFile } from './cloud-file.js';

const PLAIN = 'ServiceTags_Public_*.json';
const PACKED = 'ServiceTags_Public_*.json.gz';
const PAGE = 'https://www.microsoft.com/en-us/download/details.aspx?id=56519';

/**
 * Service tags of Azure's public cloud (https://learn.microsoft.com/en-us/azure/virtual-network/service-tags-overview),
 * plain or packed.
 */
export const AZURE_TAGS: readonly PublishedFile[] = [
  {
    ...cloudFile(PLAIN, {
      url: PAGE,
      link: /https:\/\/download\.microsoft\.com\/download\/[\w./-]+\/ServiceTags_Public_\d{8}\.json/,
      minBytes: 1_000_000,
    }),
    take: 'latest',
    alternatives: [PACKED],
  },
  { ...cloudFile(PACKED), container: 'gz', take: 'latest', alternatives: [PLAIN] },
];

/** The tag of all networks of customers. `AzureCloud.<region>` are most of them by region. */
export const AZURE_CLOUD = 'AzureCloud';
/** The tags `AzureFrontDoor.*` of the content delivery network, partly outside of AzureCloud. */
export const AZURE_FRONT_DOOR = 'AzureFrontDoor';

/** A service tag. `AzureCloud.eastus` has the family `AzureCloud` and the part `eastus`. */
export interface AzureTag {
  readonly family: string;
  /** Empty for a tag without a dot. */
  readonly part: string;
  /** Prefixes as published; not checked. */
  readonly prefixes: readonly unknown[];
}

const document = z.object({ values: z.array(z.unknown()).min(1) });
const tag = z.object({
  name: z.string(),
  properties: z.object({ addressPrefixes: z.array(z.unknown()) }),
});

/** Returns the newest file by the date in its name. An older file would bring back removed networks. */
export function newestTags(files: readonly OpenFile[]): OpenFile | undefined {
  const dateOf = ({ name }: OpenFile): string => name.replace(/\.gz$/, '');
  return [...files].sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1))[0];
}

/**
 * Visits the tags in the order of the file. Throws FeedError `header` when there is no tag `AzureCloud`, after the last
 * tag, and the errors of `readJsonFile`.
 */
export async function readAzureTags(
  file: OpenFile,
  rejected: RejectedRows,
  visit: (tag: AzureTag) => void,
): Promise<void> {
  const { values } = await readJsonFile(file, document);
  const names = new Set<string>();
  new JsonRows(rejected).read(values, tag, ({ name, properties: { addressPrefixes } }) => {
    names.add(name);
    const [family, part] = partsOf(name);
    visit({ family, part, prefixes: addressPrefixes });
  });
  if (!names.has(AZURE_CLOUD)) throw new FeedError('header', file.id, `no tag ${AZURE_CLOUD}`);
}

/** Splits `AzureCloud.eastus` at the first dot. */
function partsOf(name: string): [family: string, part: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}
