import { z } from 'zod';
import { readJsonFile } from '../json-file.js';
import type { OpenFile } from '../published-source.js';
import { JsonRows, type RejectedRows } from '../rows/json-rows.js';
import { cloudFile } from './cloud-file.js';

/** Amazon's address ranges (https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-ranges.html). */
export const AWS_RANGES = cloudFile('ip-ranges.json', {
  url: 'https://ip-ranges.amazonaws.com/ip-ranges.json',
  minBytes: 500_000,
});

/** A prefix with one of its services. Prefixes are repeated for each service, and once more for `AMAZON`. */
export interface AwsRange {
  readonly prefix: string;
  readonly service: string;
  /** A region such as `us-west-2`, or `GLOBAL`. */
  readonly region: string;
  /** The zones that announce the prefix: the region, a local zone such as `us-west-2-lax-1`, or `GLOBAL`. */
  readonly borderGroup?: string | undefined;
  /** 1-based, IPv6 after IPv4. */
  readonly position: number;
}

const document = z.object({
  prefixes: z.array(z.unknown()).min(1),
  ipv6_prefixes: z.array(z.unknown()).min(1),
});
const labels = {
  region: z.string(),
  service: z.string().min(1),
  network_border_group: z.string().optional(),
};
const ipv4Row = z.object({ ip_prefix: z.string(), ...labels });
const ipv6Row = z.object({ ipv6_prefix: z.string(), ...labels });

/** Reads the ranges in the order of the file. Throws the errors of `readJsonFile`. */
export async function readAwsRanges(file: OpenFile, rejected: RejectedRows): Promise<AwsRange[]> {
  const { prefixes, ipv6_prefixes } = await readJsonFile(file, document);
  const found: AwsRange[] = [];
  const rows = new JsonRows(rejected);
  rows.read(prefixes, ipv4Row, ({ ip_prefix, region, service, network_border_group }, position) => {
    found.push({ prefix: ip_prefix, service, region, borderGroup: network_border_group, position });
  });
  rows.read(ipv6_prefixes, ipv6Row, ({ ipv6_prefix, region, service, network_border_group }, position) => {
    found.push({ prefix: ipv6_prefix, service, region, borderGroup: network_border_group, position });
  });
  return found;
}
