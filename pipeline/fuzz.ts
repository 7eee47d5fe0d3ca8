import { parseArgs } from 'node:util';
import { formatResult, RESULT_HEADER } from './fuzz/format-result.js';
import type { FuzzRun } from './fuzz/fuzz-run.js';
import { measureInput, superviseRun } from './fuzz/supervise.js';

/** A target: its compiled module, and its number of inputs in a whole run of a million. */
interface Listed {
  readonly module: string;
  readonly inputs: number;
}

/** The targets by name. */
const TARGETS: Readonly<Record<string, Listed>> = {
  'mmdb/verify': { module: 'mmdb/verify.fuzz.js', inputs: 170_000 },
  'mmdb/read': { module: 'mmdb/read.fuzz.js', inputs: 170_000 },
  'server/walk': { module: '../server/release/address-tree.fuzz.js', inputs: 100_000 },
  'server/dns': { module: '../server/dns/message.fuzz.js', inputs: 250_000 },
  'server/whois': { module: '../server/whois/port43/read-answer.fuzz.js', inputs: 100_000 },
  'server/rdap': { module: '../server/whois/rdap/registration.fuzz.js', inputs: 100_000 },
  'server/http': { module: '../server/http/listener.fuzz.js', inputs: 20_000 },
  mrt: { module: 'bgp/dump-reader.fuzz.js', inputs: 60_000 },
  lists: { module: 'lists/lists.fuzz.js', inputs: 15_000 },
  feeds: { module: 'feeds/feeds.fuzz.js', inputs: 3_000 },
  registry: { module: 'registry/readers.fuzz.js', inputs: 4_000 },
  'observed-ases': { module: 'registry/observed-ases.fuzz.js', inputs: 4_000 },
  zip: { module: 'input/containers/zip-archive.fuzz.js', inputs: 8_000 },
};

const USAGE = `Usage: make fuzz [ARGS='…']
  --seed <number>     other inputs; equal seeds give equal inputs (1)
  --only <target>     a target, or the beginning of its name; may be repeated
  --inputs <number>   the number of inputs of each target (a million in all)
  --input <number>    runs one input of one target alone and prints its cost
Targets: ${Object.keys(TARGETS).join(', ')}
`;

const LIMITS = { slowMs: 1_000, grownMb: 256, totalMb: 768, stuckMs: 15_000, heapMb: 1_024 };

/** What the command line asks for. */
interface Asked {
  readonly runs: readonly FuzzRun[];
  /** The only input to run, of the only target. */
  readonly input?: number;
}

async function main(): Promise<void> {
  const { runs, input } = parseOptions();
  if (input === undefined) await runAll(runs);
  else await runOne(runs[0]!, input);
}

/** Ends the process with code 64 if an option is invalid. */
function parseOptions(): Asked {
  try {
    return readOptions();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(64);
  }
}

/** Throws TypeError. */
function readOptions(): Asked {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true },
      inputs: { type: 'string' },
      input: { type: 'string' },
    },
  });
  const names = targetsOf(values.only ?? ['']);
  const runs = names.map((name): FuzzRun => {
    const { module, inputs } = TARGETS[name]!;
    return {
      target: name,
      module: new URL(module, import.meta.url).href,
      seed: count('--seed', values.seed),
      inputs: values.inputs === undefined ? inputs : count('--inputs', values.inputs),
      limits: LIMITS,
      outputDir: 'output/fuzz',
    };
  });
  if (values.input === undefined) return { runs };
  if (runs.length > 1) throw new TypeError(`--input needs one target, not ${names.join(', ')}`);
  return { runs, input: count('--input', values.input) };
}

/** Returns the targets that begin with one of the texts. Throws TypeError for a text without a target. */
function targetsOf(starts: readonly string[]): string[] {
  const names = Object.keys(TARGETS);
  const unknown = starts.find((start) => !names.some((name) => name.startsWith(start)));
  if (unknown !== undefined) throw new TypeError(`unknown target ${JSON.stringify(unknown)}`);
  return names.filter((name) => starts.some((start) => name.startsWith(start)));
}

async function runAll(runs: readonly FuzzRun[]): Promise<void> {
  process.stdout.write(`${RESULT_HEADER}\n`);
  let inputs = 0;
  for (const run of runs) {
    const result = await superviseRun(run);
    inputs += result.inputs;
    process.stdout.write(`${formatResult(result, run.seed)}\n`);
    if (result.failures.length > 0) process.exitCode = 1;
  }
  process.stdout.write(`${inputs.toLocaleString('en-US')} inputs\n`);
}

async function runOne(run: FuzzRun, input: number): Promise<void> {
  const cost = await measureInput(run, input);
  const text = cost ? `${Math.round(cost.ms)} ms, ${Math.round(cost.grownMb)} MB` : 'the process died';
  process.stdout.write(`${run.target} ${input}: ${text}\n${cost?.crash ?? ''}\n`);
  if (cost === undefined || cost.crash !== undefined) process.exitCode = 1;
}

function count(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new TypeError(`invalid ${option} ${JSON.stringify(text)}: expected a number`);
}

await main();
