import { z } from 'zod';
import { readJsonFile } from '../json-file.js';
import type { OpenFile } from '../published-source.js';
import { JsonRows, type RejectedRows } from '../rows/json-rows.js';
import { cloudFile } from './cloud-file.js';

/** Oracle's address ranges (https://docs.oracle.com/en-us/iaas/Content/General/Concepts/addressranges.htm). */
export const ORACLE_RANGES = cloudFile('public_ip_ranges.json', {
  url: 'https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json',
  minBytes: 20_000,
});

/** A prefix of Oracle. */
export interface OracleRange {
  readonly prefix: string;
  /** A region such as `us-phoenix-1`. */
  readonly region: string;
  /** `OCI` for space of customers, `OSN` for Oracle's services, then names of services. */
  readonly tags: readonly string[];
  /** 1-based, over all regions. */
  readonly position: number;
}

const document = z.object({
  regions: z.array(z.object({ region: z.string(), cidrs: z.array(z.unknown()) })).min(1),
});
const row = z.object({ cidr: z.string(), tags: z.array(z.string()) });

/** Reads the ranges in the order of the file. Throws the errors of `readJsonFile`. */
export async function readOracleRanges(file: OpenFile, rejected: RejectedRows): Promise<OracleRange[]> {
  const { regions } = await readJsonFile(file, document);
  const found: OracleRange[] = [];
  const rows = new JsonRows(rejected);
  for (const { region, cidrs } of regions) {
    rows.read(cidrs, row, ({ cidr, tags }, position) => {
      found.push({ prefix: cidr, region, tags, position });
    });
  }
  return found;
}
