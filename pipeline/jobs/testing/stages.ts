import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { placeOfThread } from '../thread-place.js';
import { runStage } from '../run-stage.js';
import type { Stage } from '../../stage/stage.js';
import { TransientError } from '../../store/transient-error.js';

/** Ingest stages for tests of jobs, by feed id: the id names the behaviour. */
const INGESTS: Readonly<Record<string, Stage>> = {
  quick: (input) => Promise.resolve(input),
  slow: async (_input, { log, progress, settings }) => {
    progress({ rows: 1000, rejected: 1 });
    log('working');
    appendFileSync(join(settings.outputDir, 'slow'), 'x');
    await sleep(600_000);
    return undefined;
  },
  // Never yields, like a stage that reads a large file.
  busy: (_input, { settings }) => {
    writeFileSync(join(settings.outputDir, 'busy'), 'x');
    for (const end = Date.now() + 600_000; Date.now() < end;);
    return Promise.resolve(undefined);
  },
  flaky: (_input, { settings }) => {
    const path = join(settings.outputDir, 'flaky');
    appendFileSync(path, 'x');
    const tries = readFileSync(path, 'utf8').length;
    if (tries < 3) throw new TransientError(`try ${tries} was refused`);
    return Promise.resolve({ tries });
  },
  bad: (_input, { settings }) => {
    appendFileSync(join(settings.outputDir, 'bad'), 'x');
    throw new RangeError('row 7 is\n  out of range', { cause: new Error('the root of it') });
  },
  exit: (_input, { settings }) => {
    appendFileSync(join(settings.outputDir, 'exit'), 'x');
    process.exit(9);
  },
  memory: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(1 << 16).fill(kept.length));
  },
  large: () => Promise.resolve('x'.repeat(2 << 20)),
  thread: async () => {
    await sleep(300);
    return { pid: process.pid, threadId };
  },
  // Holds its thread until the test creates the file.
  held: async (_input, { settings }) => {
    while (!existsSync(join(settings.outputDir, 'go'))) await sleep(20);
    return { pid: process.pid, threadId };
  },
};

const ingest: Stage = (input, context) => {
  const { source } = input as { source: string };
  return INGESTS[source.replace(/-.*/, '')]!(input, context);
};

const collect: Stage = (_input, { children }) => Promise.resolve(children);

/** A build without a feed `quick-new` has nothing new: its phases are skipped. */
const find: Stage = (_input, { settings }) => {
  return Promise.resolve(settings.feeds.includes('quick-new') ? {} : { skipsRest: true });
};

/** Returns the input of a job of a phase, and the names of the results that it has received. */
const inPhase: Stage = (input, { children, settings }) => {
  const { feed } = input as { feed?: string };
  if (feed === 'quick-bad') throw new RangeError('the claims of quick-bad');
  appendFileSync(join(settings.outputDir, 'phases'), 'x');
  return Promise.resolve({ input, received: Object.keys(children) });
};

export default runStage(
  {
    fetch: () => Promise.resolve((input) => Promise.resolve(input)),
    ingest: () => Promise.resolve(ingest),
    gazetteer: () => Promise.resolve(collect),
    find: () => Promise.resolve(find),
    verdicts: () => Promise.resolve(inPhase),
    merge: () => Promise.resolve(inPhase),
    score: () => Promise.resolve(inPhase),
    write: () => Promise.resolve(inPhase),
    compile: () => Promise.resolve(collect),
    changes: () => Promise.resolve(inPhase),
    publish: () => Promise.resolve(collect),
  },
  placeOfThread(),
);
