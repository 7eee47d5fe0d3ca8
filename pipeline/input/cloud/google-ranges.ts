import { z } from 'zod';
import { readJsonFile } from '../json-file.js';
import type { OpenFile } from '../published-source.js';
import { JsonRows, type RejectedRows } from '../rows/json-rows.js';
import { cloudFile } from './cloud-file.js';

/** The networks of Google Cloud customers (https://support.google.com/a/answer/10026322). */
export const GOOGLE_CLOUD_RANGES = cloudFile('cloud.json', {
  url: 'https://www.gstatic.com/ipranges/cloud.json',
  minBytes: 20_000,
});

/** All networks of Google, in wider prefixes without service and scope. */
export const GOOGLE_RANGES = cloudFile('goog.json', {
  url: 'https://www.gstatic.com/ipranges/goog.json',
  minBytes: 1_000,
});

/** A prefix of Google. */
export interface GoogleRange {
  readonly prefix: string;
  readonly service?: string | undefined;
  /** A region such as `us-central1`, or `global`. */
  readonly scope?: string | undefined;
  /** 1-based. */
  readonly position: number;
}

const document = z.object({ prefixes: z.array(z.unknown()).min(1) });
const labels = { service: z.string().optional(), scope: z.string().optional() };
const row = z.union([
  z
    .object({ ipv4Prefix: z.string(), ...labels })
    .transform(({ ipv4Prefix, ...rest }) => ({ prefix: ipv4Prefix, ...rest })),
  z
    .object({ ipv6Prefix: z.string(), ...labels })
    .transform(({ ipv6Prefix, ...rest }) => ({ prefix: ipv6Prefix, ...rest })),
]);

/** Reads the ranges in the order of the file. Throws the errors of `readJsonFile`. */
export async function readGoogleRanges(file: OpenFile, rejected: RejectedRows): Promise<GoogleRange[]> {
  const { prefixes } = await readJsonFile(file, document);
  const found: GoogleRange[] = [];
  new JsonRows(rejected).read(prefixes, row, (range, position) => {
    found.push({ ...range, position });
  });
  return found;
}
