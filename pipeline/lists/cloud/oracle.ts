import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { ORACLE_RANGES, readOracleRanges } from '../../input/cloud/oracle-ranges.js';
import { CLOUD_TERMS, hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

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
  files: [ORACLE_RANGES],
  cadence: 'about weekly',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('oracle', files, (file) => readRanges(file, sinkFor(file))),
};

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const networks = new CloudNetworks(sink, (label) => hostingClaim('Oracle Cloud', label));
  for (const { prefix, region, tags, position } of await readOracleRanges(file, sink)) {
    networks.add(prefix, { service: narrowestOf(tags), region }, position);
  }
}

function narrowestOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag !== 'OCI' && tag !== 'OSN') ?? tags[0];
}
