import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.js';
import {
  runIpatlas,
  startIpatlas,
  untilMoment,
  type IpatlasProcess,
  type Moment,
} from './ipatlas-process.js';
import { damageInput } from './input-feeds.js';
import type { SmallDisk } from './small-disk.js';
import { chooseStoreFault, type SoakedStore, type StoreFault } from './soaked-store.js';

/** A condition under which a build runs. */
const CONDITIONS = ['damaged input', 'full disk', 'second build', 'none', 'none', 'none'] as const;
/** The process that is killed while the build runs. */
const VICTIMS = [
  'build',
  'build',
  'build',
  'build',
  'redis',
  'worker',
  'server',
  'following server',
  'terminated build',
] as const;
type Victim = (typeof VICTIMS)[number];

/** What happens to one run of a build. */
export interface Attempt {
  readonly condition: (typeof CONDITIONS)[number];
  /** One or two kills, each at a moment of its own. */
  readonly kills: readonly { readonly victim: Victim; readonly moment: Moment }[];
  /** Begins at another moment of the build; absent without one. */
  readonly storeFault?: StoreFault & { readonly moment: Moment };
}

/** The surroundings of a build. */
export interface Surroundings {
  readonly main: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly feedsDir: string;
  readonly random: Random;
  /** Counts a fault. */
  readonly inflicted: (fault: string) => void;
  /** Kills the Redis of the build; false if it does not run yet. */
  readonly killRedis: () => Promise<boolean>;
  /** Kills the API server, which is started again. */
  readonly killServer: () => Promise<void>;
  /** Absent where no file system can be mounted. */
  readonly disk: SmallDisk | undefined;
  /** The build shares a Redis with a worker. */
  readonly hasWorker: boolean;
  /** The store that the build uses; absent in nights without one. */
  readonly store: SoakedStore | undefined;
  /** The most lines that an undisturbed build has printed. */
  readonly lines: number;
}

/** Chooses what happens to a run. */
export function chooseAttempt(
  random: Random,
  { hasWorker, store, lines }: Pick<Surroundings, 'hasWorker' | 'store' | 'lines'>,
): Attempt {
  const storeFault = store && chooseStoreFault(random);
  const chooseMoment = (): Moment => ({ lines: random.below(lines), waitMs: random.below(150) });
  const chooseKill = (): Attempt['kills'][number] => {
    const victim = random.pick(VICTIMS);
    const isPresent =
      (victim !== 'worker' || hasWorker) && (victim !== 'following server' || store !== undefined);
    return { victim: isPresent ? victim : 'build', moment: chooseMoment() };
  };
  const kills = random.once(2) ? [chooseKill(), chooseKill()] : [chooseKill()];
  return {
    condition: random.pick(CONDITIONS),
    // Each victim is killed once: a second kill could hit the process that replaces it.
    kills: kills.filter(({ victim }, at) => kills.findIndex((kill) => kill.victim === victim) === at),
    ...(storeFault && { storeFault: { ...storeFault, moment: chooseMoment() } }),
  };
}

/** No build of the soak takes that long. */
const HANGING_MS = 600_000;

/** The end of a run: the exit code or signal of the build, and the broken guarantees. */
export interface AttemptEnd {
  readonly end: string;
  readonly problems: readonly string[];
}

/** Runs a build, and inflicts what was chosen. The caller restores the inputs. */
export async function runAttempt(attempt: Attempt, around: Surroundings): Promise<AttemptEnd> {
  const { main, variables, inflicted } = around;
  if (attempt.condition === 'damaged input') inflicted(damageInput(around.feedsDir, around.random));
  const disk = attempt.condition === 'full disk' ? around.disk : undefined;
  if (disk) {
    disk.fill(around.random.below(MOST_FREE_BYTES));
    inflicted('full disk');
  }
  const worker = around.hasWorker ? await startWorker(around) : undefined;
  const build = startIpatlas({ main, args: ['build'], variables });
  const second =
    attempt.condition === 'second build' ? runIpatlas({ main, args: ['build'], variables }) : undefined;
  if (second) inflicted('second build');
  const suffered = sufferInStore(attempt, build, around);
  const strikes = attempt.kills.map(async ({ victim, moment }) => {
    await untilMoment(build, moment);
    await strike(victim, { build, worker, around });
  });
  await Promise.all(strikes);
  const ended = await Promise.race([build.ended, sleep(HANGING_MS, undefined, { ref: false })]);
  build.child.kill('SIGKILL');
  worker?.child.kill('SIGKILL');
  await Promise.all([build.ended, worker?.ended, second, suffered]);
  disk?.empty();
  if (!ended) return { end: 'hanging', problems: [`a build hangs for ${HANGING_MS / 1000} s`] };
  return { end: ended.end, problems: problemsOf(ended, attempt) };
}

const MOST_FREE_BYTES = 8 << 20;

/** Inflicts the fault of the store at its moment, and resolves when it has ended. */
async function sufferInStore(
  { storeFault }: Attempt,
  build: IpatlasProcess,
  { store, inflicted }: Surroundings,
): Promise<void> {
  if (!storeFault || !store) return;
  await untilMoment(build, storeFault.moment);
  inflicted(storeFault.kind === 'killed' ? 'kill store' : `store ${storeFault.kind}`);
  await store.suffer(storeFault);
}

async function startWorker({ main, variables }: Surroundings): Promise<IpatlasProcess> {
  const worker = startIpatlas({ main, args: ['worker'], variables });
  await worker.saw('waiting for jobs at');
  return worker;
}

interface Running {
  readonly build: IpatlasProcess;
  readonly worker: IpatlasProcess | undefined;
  readonly around: Surroundings;
}

/** Kills the victim, if it runs. */
async function strike(victim: Victim, { build, worker, around }: Running): Promise<void> {
  if (victim === 'build' && build.child.kill('SIGKILL')) around.inflicted('kill build');
  if (victim === 'terminated build' && build.child.kill('SIGTERM')) around.inflicted('SIGTERM to build');
  if (victim === 'worker' && worker?.child.kill('SIGKILL') === true) around.inflicted('kill worker');
  if (victim === 'redis' && (await around.killRedis())) around.inflicted('kill Redis');
  if (victim === 'following server') {
    await around.store?.server.killAndStart();
    around.inflicted('kill following server');
  }
  if (victim === 'server') {
    await around.killServer();
    around.inflicted('kill server');
  }
}

/** Returns what is wrong with the end of a build: an error without an explanation, or a failure without a cause. */
function problemsOf(
  { end, output }: { readonly end: string; readonly output: string },
  attempt: Attempt,
): string[] {
  const problems: string[] = [];
  const stack = /^\s+at .+:\d+:\d+\)?$/m.exec(output);
  if (stack) problems.push(`a build prints a stack trace: ${lastLine(output.slice(0, stack.index))}`);
  const mayFail =
    attempt.condition !== 'none' ||
    attempt.storeFault?.kind === 'wrong' ||
    attempt.kills.some(({ victim }) => ['build', 'redis', 'terminated build'].includes(victim));
  if (end !== '0' && !mayFail) problems.push(`a build ends with ${end}: ${lastLine(output)}`);
  return problems;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
