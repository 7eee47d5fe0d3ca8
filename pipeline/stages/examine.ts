import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader, type AnonymousIPResponse, type AsnResponse, type CityResponse } from 'maxmind';
import { z } from 'zod';
import type { Schema } from '../mmdb/schema.js';
import type { VerifyProblem } from '../mmdb/problems.js';
import { verifyMmdb, type VerifyReport } from '../mmdb/verify.js';
import { canariesOf, evaluateCanaries } from '../release/canaries.js';

const outcomeSchema = z.strictObject({ passed: z.boolean(), found: z.string() });

/** What was found in a dataset file: the verifier's word on tree and records, and what the canaries answer. */
export const examinationSchema = z.strictObject({
  tree: outcomeSchema,
  schema: outcomeSchema,
  /** Empty for files that no canary is asked of. */
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

/** Reads a written file back: our verifier walks all of it, an independent reader answers the canaries. */
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

/** What is found in a file that was examined for another release: only the canaries are asked again. */
export async function examineAgain(
  path: string,
  { databaseType, release }: { readonly databaseType: string; readonly release: string },
): Promise<Examination> {
  const unchanged = { passed: true, found: `unchanged since ${release}` };
  const isAsked = canariesOf(databaseType).length > 0;
  const canaries = isAsked ? askCanaries(await readFile(path), databaseType) : [];
  return { tree: unchanged, schema: unchanged, canaries };
}

/** What was found in all files of a release together, each by its name; what is wrong comes first. */
export function joinExaminations(
  files: readonly { readonly file: { readonly name: string }; readonly examination: Examination }[],
): Examination {
  const join = (check: 'tree' | 'schema'): Examination['tree'] => {
    const found = files.map(({ file, examination }) => ({ name: file.name, ...examination[check] }));
    const passed = found.every((outcome) => outcome.passed);
    const told = found.filter((outcome) => passed || !outcome.passed);
    return { passed, found: told.map((outcome) => `${outcome.name}: ${outcome.found}`).join('; ') };
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
  return { passed: false, found: `${problemCount} problems, at offset ${offset}, path ${path}: ${text}` };
}

/** A file whose type cannot be read has no right answer, whatever is asked. */
function askCanaries(bytes: Buffer, databaseType: string | undefined): Examination['canaries'] {
  if (databaseType === undefined) {
    return [{ ip: 'any address', passed: false, expected: 'an answer', found: 'no metadata' }];
  }
  const canaries = canariesOf(databaseType);
  if (canaries.length === 0) return [];
  const reader = new Reader<CityResponse & Partial<AsnResponse & AnonymousIPResponse>>(bytes);
  const isService = databaseType.startsWith('ipatlas-ISP');
  return evaluateCanaries((address) => {
    // The reader takes any text for some address: only real ones may reach it.
    const record = isIP(address) === 0 ? null : reader.get(address);
    if (!record) return undefined;
    const country = record.country?.iso_code;
    const asn = record.autonomous_system_number;
    return {
      ...(country !== undefined && { country }),
      ...(asn !== undefined && { asn }),
      ...(isService && { isProxy: record.is_anonymous === true }),
    };
  }, canaries);
}
