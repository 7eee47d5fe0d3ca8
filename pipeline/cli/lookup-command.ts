import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { AddressTexts } from '../lookup/address-texts.js';
import { DEFAULT_FIELDS, LOOKUP_FIELDS } from '../lookup/fields.js';
import { LookupStream, type LookupCounts } from '../lookup/look-up.js';
import { NOTATIONS } from '../lookup/notation.js';
import { openFinders } from '../lookup/open-finders.js';
import { rowOutput } from '../lookup/row-output.js';
import { isMissing } from '../release/missing.js';
import type { CommandContext } from './context.js';
import type { Environment } from './environment.js';
import { EXIT_INCOMPLETE } from './exit-codes.js';
import { lookupOptions, type LookupFlags } from './lookup-options.js';
import { describeLookup, NO_PROGRESS, terminalProgress, type LookupProgress } from './lookup-progress.js';
import { findRelease } from './releases.js';
import { UsageError } from './usage-error.js';

/** Adds `lookup`. */
export function addLookupCommand(program: Command, context: CommandContext): void {
  program
    .command('lookup')
    .description('add fields of a release to addresses, lines, CSV or NDJSON, without a server')
    .argument('[addresses...]', 'IPv4 or IPv6 addresses; without any, lines are read')
    .option('--input <file>', 'file to read; - is standard input, the default')
    .option('--column <name or number>', 'the input is CSV with the address in this column')
    .option('--field <path>', 'the input is NDJSON with the address in this field, such as client.ip')
    .option('--fields <names>', `fields to add, comma-separated; ${DEFAULT_FIELDS.join(',')} by default`)
    .option('--prefix <text>', 'text before the names of the added fields')
    .option('--format <format>', 'table, csv or ndjson; that of the input by default')
    .option('--lang <language>', 'language of names: en or zh; en by default')
    .option('--output <folder>', 'folder of a release or of its MMDB files; the current release by default')
    .addHelpText('after', `\nFields:\n  ${[...LOOKUP_FIELDS.keys()].join(', ')}`)
    .action(async (addresses: readonly string[], flags: LookupFlags) => {
      const counts = await lookUp(addresses, flags, context);
      if (counts.bad > 0) context.setExitCode(EXIT_INCOMPLETE);
    });
}

async function lookUp(
  addresses: readonly string[],
  flags: LookupFlags,
  { environment, isJson }: CommandContext,
): Promise<LookupCounts> {
  const { stderr, results } = environment;
  const options = lookupOptions(flags, isJson() ? 'ndjson' : results.isTTY === true ? 'table' : 'csv');
  const source = await openSource(addresses, flags, environment);
  const { finders, missing } = openFinders(await folderOf(flags, environment), options.fields);
  for (const name of missing) stderr.write(`the release has no ${name}: its fields are empty\n`);
  const texts = new AddressTexts(finders, { ...options, notation: NOTATIONS[options.format] });
  const output = rowOutput(options.format, options.input, options.names);
  const stream = new LookupStream({ ...options, texts, output });
  const progress = progressOf(source, environment);
  const startedMs = performance.now();
  try {
    await pipeline(Readable.from(rowsOf(source, stream, progress)), outputOf(environment));
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  } finally {
    progress.close();
  }
  const isAsked = addresses.length === 0 || stream.counts.bad > 0;
  if (isAsked) stderr.write(`${describeLookup(stream.counts, (performance.now() - startedMs) / 1000)}\n`);
  return stream.counts;
}

/** The lines to look up. */
interface Source {
  readonly blocks: AsyncIterable<Buffer | string>;
  /** Undefined for a pipe. */
  readonly bytes: number | undefined;
}

async function openSource(
  addresses: readonly string[],
  { input, column, field }: LookupFlags,
  { stdin }: Environment,
): Promise<Source> {
  if (addresses.length > 0) {
    if (input !== undefined || column !== undefined || field !== undefined)
      throw new UsageError('addresses on the command line exclude --input, --column and --field');
    return { blocks: Readable.from([`${addresses.join('\n')}\n`]), bytes: undefined };
  }
  if (input !== undefined && input !== '-') return await openFile(input);
  if (input === undefined && stdin.isTTY === true)
    throw new UsageError('nothing to look up: expected addresses, --input or lines on standard input');
  return { blocks: stdin, bytes: undefined };
}

/** Bytes that are read at once. */
const BLOCK_BYTES = 1 << 18;

async function openFile(path: string): Promise<Source> {
  try {
    const { size } = await stat(path);
    return { blocks: createReadStream(path, { highWaterMark: BLOCK_BYTES }), bytes: size };
  } catch (cause) {
    if (isMissing(cause)) throw new UsageError(`invalid --input "${path}": file not found`, { cause });
    throw cause;
  }
}

/** Returns the folder with the MMDB files: that of a release, or of the current release in a folder of releases. */
async function folderOf({ output }: LookupFlags, { outputDir }: Environment): Promise<string> {
  if (output === undefined) return (await findRelease(outputDir)).dir;
  const current = join(output, 'current');
  return resolve(existsSync(current) ? current : output);
}

async function* rowsOf(
  { blocks }: Source,
  stream: LookupStream,
  progress: LookupProgress,
): AsyncGenerator<Buffer, void> {
  let bytesDone = 0;
  for await (const block of blocks) {
    const bytes = typeof block === 'string' ? Buffer.from(block) : block;
    bytesDone += bytes.length;
    const rows = stream.add(bytes);
    progress.show(stream.counts, bytesDone);
    // An empty buffer would end the output.
    if (rows.length > 0) yield rows;
  }
  const rows = stream.end();
  if (rows.length > 0) yield rows;
}

/** The standard output is not closed at the end. A terminal gets text without characters that it interprets. */
function outputOf({ results, stdout }: Environment): Writable {
  return new Writable({
    write: (rows: Buffer, _encoding, done) => {
      if (results.isTTY === true) {
        stdout.write(rows.toString('utf8'));
        done();
      } else results.write(rows, done);
    },
  });
}

/** A line among the rows of a terminal would be torn. */
function progressOf({ bytes }: Source, { progress, isTerminal, results }: Environment): LookupProgress {
  return isTerminal && results.isTTY !== true ? terminalProgress(progress, bytes) : NO_PROGRESS;
}

/** Whether the reader of the output has closed it, like `head`. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
