import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { CLOUD_TERMS, cloudFile, hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from './json-rows.js';

/**
 * Oracle's address ranges (https://docs.oracle.com/en-us/iaas/Content/General/Concepts/addressranges.htm), only IPv4.
 * The tag `OCI` is space of customers, `OSN` is Oracle's services. A further tag names the service.
 */
export const ORACLE: List = {
  id: 'oracle',
  publisher: 'Oracle',
  licence: {
    name: 'Oracle Cloud IP address ranges, published for everyone',
    url: 'https://docs.oracle.com/en-us/iaas/Content/General/Concepts/addressranges.htm',
    terms: 'free',
  },
  files: [
    cloudFile('public_ip_ranges.json', {
      url: 'https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json',
      minBytes: 20_000,
    }),
  ],
  cadence: 'about weekly',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('oracle', files, (file) => readRanges(file, sinkFor(file))),
};

const document = z.object({
  regions: z.array(z.object({ region: z.string(), cidrs: z.array(z.unknown()) })).min(1),
});
const row = z.object({ cidr: z.string(), tags: z.array(z.string()) });

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const { regions } = await readJsonFile(file, document);
  const networks = new CloudNetworks(sink, (label) => hostingClaim('Oracle Cloud', label));
  const rows = new JsonRows(sink);
  for (const { region, cidrs } of regions) {
    rows.read(cidrs, row, ({ cidr, tags }, position) => {
      networks.add(cidr, { service: narrowestOf(tags), region }, position);
    });
  }
}

function narrowestOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag !== 'OCI' && tag !== 'OSN') ?? tags[0];
}
