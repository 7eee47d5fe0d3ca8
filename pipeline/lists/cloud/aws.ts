import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { AWS_RANGES, readAwsRanges, type AwsRange } from '../../input/cloud/aws-ranges.js';
import { CLOUD_TERMS, edgeClaim, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

/**
 * Amazon's address ranges (https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-ranges.html). A prefix is repeated
 * for each of its services. `AMAZON` contains all prefixes and has its own layer, because its more specific prefixes do
 * not change the service of a covering prefix. Among services the more specific prefix wins.
 */
export const AWS: List = {
  id: 'aws',
  publisher: 'Amazon Web Services',
  licence: {
    name: 'AWS IP address ranges, published for everyone',
    url: 'https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-ranges.html',
    terms: 'free',
  },
  files: [AWS_RANGES],
  cadence: 'several times a week',
  ...CLOUD_TERMS,
  layers: ['service', 'amazon'],
  combine: ([service, amazon]) => service ?? amazon,
  read: (files, sinkFor) => readEach('aws', files, (file) => readRanges(file, sinkFor(file))),
};

const SERVICE_LAYER = 0;
const AMAZON_LAYER = 1;

const WHOLE = 'AMAZON';
/** The services that contain other services, the widest last. A prefix gets another of its services if it has one. */
const WIDE_SERVICES = ['CLOUDFRONT', 'EC2', WHOLE];
/** The services of the content delivery network, which faces visitors and the servers of its customers. */
const EDGE_SERVICES: ReadonlySet<string | undefined> = new Set(['CLOUDFRONT', 'CLOUDFRONT_ORIGIN_FACING']);

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const ranges = await readAwsRanges(file, sink);
  // The first row of a prefix is kept.
  ranges.sort((a, b) => widthOf(a) - widthOf(b) || a.position - b.position);
  const services = new CloudNetworks(sink, claimOf, SERVICE_LAYER);
  const amazon = new CloudNetworks(sink, claimOf, AMAZON_LAYER);
  for (const { prefix, service, region, position } of ranges) {
    (service === WHOLE ? amazon : services).add(prefix, { service, region }, position);
  }
}

/** Returns the position among the wide services; -1 for other services. */
function widthOf({ service }: AwsRange): number {
  return WIDE_SERVICES.indexOf(service);
}

function claimOf(label: CloudLabel): ListClaim {
  return EDGE_SERVICES.has(label.service)
    ? edgeClaim('Amazon AWS', label)
    : hostingClaim('Amazon AWS', label);
}
