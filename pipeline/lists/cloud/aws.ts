import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../json-file.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { CLOUD_TERMS, cloudFile, edgeClaim, hostingClaim, type CloudLabel } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from './json-rows.js';

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
  files: [
    cloudFile('ip-ranges.json', {
      url: 'https://ip-ranges.amazonaws.com/ip-ranges.json',
      minBytes: 500_000,
    }),
  ],
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

const document = z.object({
  prefixes: z.array(z.unknown()).min(1),
  ipv6_prefixes: z.array(z.unknown()).min(1),
});
const labels = { region: z.string(), service: z.string().min(1) };
const ipv4Row = z.object({ ip_prefix: z.string(), ...labels });
const ipv6Row = z.object({ ipv6_prefix: z.string(), ...labels });

interface Row {
  readonly prefix: string;
  readonly label: { readonly service: string; readonly region: string };
  readonly position: number;
}

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const { prefixes, ipv6_prefixes } = await readJsonFile(file, document);
  const found: Row[] = [];
  const rows = new JsonRows(sink);
  rows.read(prefixes, ipv4Row, ({ ip_prefix, ...label }, position) => {
    found.push({ prefix: ip_prefix, label, position });
  });
  rows.read(ipv6_prefixes, ipv6Row, ({ ipv6_prefix, ...label }, position) => {
    found.push({ prefix: ipv6_prefix, label, position });
  });
  // The first row of a prefix is kept.
  found.sort((a, b) => widthOf(a) - widthOf(b) || a.position - b.position);
  const services = new CloudNetworks(sink, claimOf, SERVICE_LAYER);
  const amazon = new CloudNetworks(sink, claimOf, AMAZON_LAYER);
  for (const { prefix, label, position } of found) {
    (label.service === WHOLE ? amazon : services).add(prefix, label, position);
  }
}

/** Returns the position among the wide services; -1 for other services. */
function widthOf({ label }: Row): number {
  return WIDE_SERVICES.indexOf(label.service);
}

function claimOf(label: CloudLabel): ListClaim {
  return EDGE_SERVICES.has(label.service)
    ? edgeClaim('Amazon AWS', label)
    : hostingClaim('Amazon AWS', label);
}
