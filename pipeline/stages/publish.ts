import { rm } from 'node:fs/promises';
import { z } from 'zod';
import {
  manifestSchema,
  refusalSchema,
  type Gate,
  type Manifest,
  type ManifestInput,
  type ManifestRefusal,
} from '../release/contract.js';
import { acceptGates, isAcceptable } from '../release/gate-names.js';
import { failedGates, judgeRelease } from '../release/gates.js';
import { lastRelease } from '../release/last-release.js';
import { publishRelease } from '../release/publish-release.js';
import type { BuildSettings } from './settings.js';
import type { Stage } from './stage.js';
import { pruneCache } from './prune-cache.js';
import { seriesOf } from './sources.js';
import { compileResultSchema, type CompileResult } from './compile.js';
import { joinExaminations } from './examine.js';

/** What a build came to. */
export const buildResultSchema = z.strictObject({
  /** The release that `current` points to now. */
  id: z.string(),
  /** False when the current release was made from the same inputs already. */
  published: z.boolean(),
  /** Files that this night brought and the build did not use. */
  refusals: z.array(refusalSchema),
});
export type BuildResult = z.infer<typeof buildResultSchema>;

/** A release that did not pass a gate: nothing was published, the last release still serves. */
export class GateError extends Error {
  override readonly name = 'GateError';

  constructor(gates: readonly Gate[]) {
    const lines = gates.map(({ name, found, bound }) => `gate "${name}": ${found}; it must be: ${bound}`);
    const advice = gates.every(isAcceptable)
      ? 'Look at it, then build again with --accept "<gate>" if it is right'
      : 'A dataset that its own verifier refuses cannot be accepted by hand';
    super(`not published, ${lines.join('. ')}. ${advice}`);
  }
}

/** Holds what was compiled against the gates and publishes it. Throws GateError when one of them says no. */
export const publishDataset: Stage = async (_input, { settings, children, progress }) => {
  const compiled = compileResultSchema.parse(children['compile:geo']);
  if (compiled.kind === 'unchanged') {
    const refusals = refusedFiles(compiled.inputs);
    return { id: compiled.id, published: false, refusals } satisfies BuildResult;
  }
  progress({ text: 'checking gates' });
  const manifest = await describeRelease(compiled, settings);
  const failed = failedGates(manifest.gates);
  if (failed.length > 0) throw new GateError(failed);
  const { outputDir, keepReleases } = settings;
  const keep = keepReleases === undefined ? {} : { keep: keepReleases };
  const { workDir } = compiled;
  const { id, alreadyThere } = await publishRelease({ outputDir, manifest, workDir, ...keep });
  if (alreadyThere) await rm(workDir, { recursive: true, force: true });
  await pruneCache(outputDir);
  progress({ text: id });
  return { id, published: true, refusals: refusedFiles(compiled.inputs) } satisfies BuildResult;
};

/** Every refusal once: several inputs may be made from the same file. */
function refusedFiles(inputs: readonly ManifestInput[]): ManifestRefusal[] {
  const distinct = new Map<string, ManifestRefusal>();
  for (const { refusals } of inputs) {
    for (const refusal of refusals) distinct.set(JSON.stringify(refusal), refusal);
  }
  return [...distinct.values()];
}

type Compiled = Extract<CompileResult, { kind: 'compiled' }>;

async function describeRelease(compiled: Compiled, settings: BuildSettings): Promise<Manifest> {
  const { id, buildEpoch, buildKey } = compiled;
  const files = compiled.files.map(({ file }) => file);
  const { tree, schema, canaries } = joinExaminations(compiled.files);
  const inputs: ManifestInput[] = compiled.inputs;
  const last = (await lastRelease(settings.outputDir)).release?.manifest;
  const source = settings.source === undefined ? {} : { source: settings.source };
  const figures = { tree, schema, inputs, files, seriesOf, ...source };
  const judged = judgeRelease(figures, last, canaries);
  const gates = acceptGates(judged, settings.acceptedGates ?? []);
  const parts = {
    schema: 1,
    id,
    buildEpoch,
    generator: GENERATOR,
    ...source,
    buildKey,
    inputs,
    files,
    gates,
  };
  return manifestSchema.parse(parts);
}

const GENERATOR = 'ipatlas';
