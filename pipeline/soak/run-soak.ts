import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Random, seedOf } from '../fuzz/random.js';
import { newRedisForTest } from '../testing/redis-server.js';
import { ApiServer } from './api-server.js';
import { Lifespan } from './lifespan.js';
import { runNight, type Night } from './night.js';
import { SmallDisk } from './small-disk.js';
import { SoakedStore } from './soaked-store.js';
import { countOne, killsOf, readState, writeState, type SoakState } from './soak-state.js';

/** The options of `make soak`. */
export interface SoakOptions {
  /** The soak ends after the night in which this number of kills is reached. */
  readonly kills: number;
  readonly seed: number;
  /** Feeds, releases and state. */
  readonly dir: string;
  readonly restart: boolean;
  /** The compiled `pipeline/main.js`. */
  readonly main: string;
}

/**
 * Builds one small release after the other while processes are killed, inputs are torn, disks are full and the store has
 * faults, and checks after every fault that no release is lost or torn. Continues the run of an earlier call in the same folder. Returns
 * whether no guarantee was broken in the whole run.
 */
export async function runSoak(options: SoakOptions, print: (line: string) => void): Promise<boolean> {
  const dir = resolve(options.dir);
  const outputDir = join(dir, 'output');
  if (options.restart) {
    SmallDisk.remove(outputDir);
    rmSync(dir, { recursive: true, force: true });
  }
  mkdirSync(outputDir, { recursive: true });
  const state = readState(dir, options.seed);
  const lifespan = new Lifespan();
  try {
    const disk = SmallDisk.mount(outputDir);
    if (!disk)
      print('full disks are left out: no file system can be mounted here (needs root and a loop device)');
    disk?.empty();
    lifespan.teardown(() => disk?.unmount());
    const { url } = await newRedisForTest(lifespan);
    const server = new ApiServer(options.main, { OUTPUT: outputDir, REDIS_URL: url });
    await server.start();
    lifespan.teardown(() => server.stop());
    const store = await SoakedStore.start(lifespan, { dir, main: options.main, redisUrl: url });
    let lines = LINES_AT_FIRST;
    while (killsOf(state) < options.kills) {
      const night = { ...options, dir, outputDir, disk, server, store, lines, night: state.nights + 1 };
      lines = await soakOneNight(night, state, print);
      writeState(dir, state);
    }
  } finally {
    await lifespan.end();
  }
  summarise(state, print);
  return state.problems.length === 0;
}

/** Assumed before the first undisturbed build has shown it. */
const LINES_AT_FIRST = 60;

/** Runs a night and records it. Returns the most lines that an undisturbed build has printed. */
async function soakOneNight(
  night: Omit<Night, 'random' | 'inflicted' | 'ended'>,
  state: SoakState,
  print: (line: string) => void,
): Promise<number> {
  const faults: string[] = [];
  const { problems, lines } = await runNight({
    ...night,
    random: new Random(seedOf(state.seed, 'night', night.night)),
    inflicted: (fault) => {
      countOne(state.faults, fault);
      faults.push(fault);
    },
    ended: (end) => {
      countOne(state.ends, end);
    },
  });
  state.nights = night.night;
  for (const problem of problems) state.problems.push(`night ${night.night}: ${problem}`);
  const verdict = problems.length === 0 ? 'sound' : problems.join('; ');
  print(`night ${night.night}, ${killsOf(state)} kills: ${faults.join(', ') || 'no fault'}: ${verdict}`);
  return lines;
}

function summarise({ nights, faults, ends, problems }: SoakState, print: (line: string) => void): void {
  const list = (counters: Readonly<Record<string, number>>): string =>
    Object.entries(counters)
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  print(`${nights} nights; faults: ${list(faults)}`);
  print(`ends of builds (exit codes and signals): ${list(ends)}`);
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? 'no release was lost or torn' : `${problems.length} broken guarantees`);
}
