import { readFile } from 'node:fs/promises';
import { CITY_SCHEMA } from '../merge/city-record.js';
import { isDate } from '../mmdb/build-epoch.js';
import type { MmdbMetadata } from '../mmdb/metadata.js';
import type { Schema } from '../mmdb/schema.js';
import { verifyMmdb, type VerifyReport } from '../mmdb/verify.js';
import { ASN_SCHEMA } from '../routing/asn-records.js';
import { NETWORK_SCHEMA } from '../routing/network-records.js';
import { EVIDENCE_SCHEMA } from '../isp/evidence-record.js';
import { ISP_SCHEMA } from '../isp/isp-record.js';
import { ROUTES_SCHEMA } from '../routing/route-schema.js';
import { printableLines } from '../text/printable.js';
import { grouped } from '../text/figure-text.js';

/** Checks an MMDB file, and its schema if it is one of ours. Throws the errors of the file system. */
export async function verifyFile(path: string): Promise<VerifyReport> {
  const bytes = await readFile(path);
  const report = verifyMmdb(bytes);
  const schema = schemaOf(report.metadata?.databaseType ?? '');
  return schema ? verifyMmdb(bytes, { schema }) : report;
}

function schemaOf(databaseType: string): Schema | undefined {
  // The name may be followed by compatible types in parentheses.
  return SCHEMAS.get(databaseType.replace(/ \(.*\)$/, ''));
}

/** The schemas by database type. */
const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['ipatlas-City', CITY_SCHEMA],
  ['ipatlas-ASN', ASN_SCHEMA],
  ['ipatlas-Routes', ROUTES_SCHEMA],
  ['ipatlas-Networks', NETWORK_SCHEMA],
  ['ipatlas-ISP', ISP_SCHEMA],
  ['ipatlas-Evidence', EVIDENCE_SCHEMA],
]);

function describeBuilt({ buildEpoch }: Pick<MmdbMetadata, 'buildEpoch'>): string {
  return isDate(buildEpoch)
    ? `built ${new Date(buildEpoch * 1000).toISOString()}`
    : `built at no date (build epoch ${BigInt(buildEpoch)})`;
}

/** Returns a verification report as text. */
export function describeVerification(path: string, report: VerifyReport): string {
  const { metadata, counts, aliases, problems, problemCount } = report;
  const lines: string[] = [];
  if (metadata) {
    lines.push(
      `${path}: ${metadata.databaseType}, IPv${metadata.ipVersion}, ${metadata.recordSize} bits, ${describeBuilt(metadata)}`,
      `  ${grouped(counts.nodes)} nodes, ${grouped(counts.networksV4)} IPv4 and ${grouped(counts.networksV6)} IPv6 networks, ` +
        `${grouped(counts.records)} records, ${grouped(counts.dataBytes)} bytes of data`,
      `  aliases of IPv4: ${aliases.length === 0 ? 'none' : aliases.join(', ')}`,
    );
  }
  for (const { code, offset, path: at, text } of problems) {
    lines.push(`  ${code}: at offset ${offset}, path ${at}: ${text}`);
  }
  if (problemCount > problems.length) lines.push(`  … and ${grouped(problemCount - problems.length)} more`);
  lines.push(problemCount === 0 ? 'valid' : `invalid: ${grouped(problemCount)} problems`);
  return printableLines(lines);
}
