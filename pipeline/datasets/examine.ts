import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader, type AnonymousIPResponse, type AsnResponse, type CityResponse } from 'maxmind';
import { z } from 'zod';
import type { Schema } from '../mmdb/schema.js';
import type { VerifyProblem } from '../mmdb/problems.js';
import { verifyMmdb, type VerifyReport } from '../mmdb/verify.js';
import { canariesOf, evaluateCanaries } from '../release/canaries.js';

const outcomeSchema = z.strictObject({ passed: z.boolean(), found: z.string() });

/** Findings in a dataset file: the verifier's results for tree and records, and the answers for the canaries. */
export const examinationSchema = z.strictObject({
  tree: outcomeSchema,
  schema: outcomeSchema,
  /** Empty for files without canaries. */
  canaries: z.array(
    z.strictObject({
      ip: z.string(),
      passed: z.boolean(),
      expected: z.string(),
      found: z.string(),
      excuse: z.string().exactOptional(),
    }),
  ),
});
export type Examination = z.infer<typeof examinationSchema>;

/** Reads a written file back. Our verifier walks the whole file; an independent reader looks up the canaries. */
export async function examine(path: string, schema: Schema): Promise<Examination> {
  const bytes = await readFile(path);
  const report = verifyMmdb(bytes, { schema });
  const { nodes, records } = report.counts;
  const broken = report.problems.find(({ code }) => code !== 'schema');
  const misfit = report.problems.find(({ code }) => code === 'schema');
  return {
    tree: outcome(broken, report, `${nodes} nodes reached`),
    schema: outcome(misfit, report, `${records} records`),
    canaries: askCanaries(bytes, report.metadata?.databaseType),
  };
}

/** Examines a file of an earlier release again. Looks up only the canaries. */
export async function examineAgain(
  path: string,
  { databaseType, release }: { readonly databaseType: string; readonly release: string },
): Promise<Examination> {
  const unchanged = { passed: true, found: `unchanged since ${release}` };
  const isAsked = canariesOf(databaseType).length > 0;
  const canaries = isAsked ? askCanaries(await readFile(path), databaseType) : [];
  return { tree: unchanged, schema: unchanged, canaries };
}

/** Joins the findings of all files of a release by file name. If any check failed, lists only the failures. */
export function joinExaminations(
  files: readonly { readonly file: { readonly name: string }; readonly examination: Examination }[],
): Examination {
  const join = (check: 'tree' | 'schema'): Examination['tree'] => {
    const found = files.map(({ file, examination }) => ({ name: file.name, ...examination[check] }));
    const passed = found.every((outcome) => outcome.passed);
    const listed = found.filter((outcome) => passed || !outcome.passed);
    return { passed, found: listed.map((outcome) => `${outcome.name}: ${outcome.found}`).join('; ') };
  };
  const canaries = files.flatMap(({ file, examination }) =>
    examination.canaries.map((canary) => ({ ...canary, ip: `${file.name} ${canary.ip}` })),
  );
  return { tree: join('tree'), schema: join('schema'), canaries };
}

function outcome(
  first: VerifyProblem | undefined,
  { problemCount }: VerifyReport,
  good: string,
): { passed: boolean; found: string } {
  if (!first) return { passed: true, found: good };
  const { offset, path, text } = first;
  return {
    passed: false,
    found: `${problemCount} problems; the first at offset ${offset}, path ${path}: ${text}`,
  };
}

/** Looks up the canaries of a file. A file without a readable type fails for any address. */
function askCanaries(bytes: Buffer, databaseType: string | undefined): Examination['canaries'] {
  if (databaseType === undefined) {
    return [{ ip: 'any address', passed: false, expected: 'an answer', found: 'no metadata' }];
  }
  const canaries = canariesOf(databaseType);
  if (canaries.length === 0) return [];
  const reader = new Reader<CityResponse & Partial<AsnResponse & AnonymousIPResponse>>(bytes);
  const isIsp = databaseType.startsWith('ipatlas-ISP');
  return evaluateCanaries((address) => {
    // The reader accepts any text as an address, so only valid addresses are passed.
    const record = isIP(address) === 0 ? null : reader.get(address);
    if (!record) return undefined;
    const country = record.country?.iso_code;
    const asn = record.autonomous_system_number;
    return {
      ...(country !== undefined && { country }),
      ...(asn !== undefined && { asn }),
      ...(isIsp && { isProxy: record.is_anonymous === true }),
    };
  }, canaries);
}
