import type { BenchReport, BenchRow } from '../../../pipeline/bench/bench-report.js';
import type { AttackedServer } from './attacked-server.bench.js';
import { launchAttack } from './launch-attack.bench.js';
import type { Attack, Spoils } from './attacker-task.bench.js';
import { watch } from './witness.bench.js';

type Bar = BenchReport['bars'][number];

/** The result of attacks: figures, and the bars they are held against. */
export interface Findings {
  readonly rows: readonly BenchRow[];
  readonly bars: readonly Bar[];
}

/** How a family of attacks runs. */
export interface Settings {
  readonly isQuick: boolean;
  /** Numbers of server processes to attack. */
  readonly processes: readonly number[];
}

/** A family of attacks. */
export type Family = (settings: Settings) => Promise<Findings>;

/** Joins results. */
export function joined(all: readonly Findings[]): Findings {
  return { rows: all.flatMap(({ rows }) => rows), bars: all.flatMap(({ bars }) => bars) };
}

/** Returns a result of one bar, without a row. */
export function barOnly(what: string, bar: string, found: { measured: string; isMet: boolean }): Findings {
  return { rows: [], bars: [{ what, bar, ...found }] };
}

/** Bars of the service for others during an attack (finding 1). */
const MEDIAN_MS = 1000;
const WORST_MS = 5000;
const HEAP_MB = 600;

/** Runs attacks at the same time and measures the service for others and the server's memory meanwhile. */
export async function underAttack(
  subject: string,
  server: AttackedServer,
  attacks: readonly Omit<Attack, 'url'>[],
): Promise<Findings> {
  const witness = watch(server.url, server.key('enterprise'));
  const spoils = await Promise.all(attacks.map((attack) => launchAttack({ ...attack, url: server.url })));
  const { healthz, lookup } = await witness.end();
  const { heapMb, rssMb } = server.peak();
  const isAlive = server.isWhole;
  const { answers, ended, seconds } = sumOf(spoils);
  const medianMs = Math.max(healthz.medianMs, lookup.medianMs);
  const worstMs = Math.max(healthz.worstMs, lookup.worstMs);
  const row = {
    ...{ seconds, answers, endedByServer: ended },
    ...{ healthMedianMs: healthz.medianMs, healthWorstMs: healthz.worstMs, healthAnswered: healthz.answered },
    ...{ lookupMedianMs: lookup.medianMs, lookupWorstMs: lookup.worstMs, lookupAnswered: lookup.answered },
    ...{ silentMs: Math.max(healthz.silentMs, lookup.silentMs), heapMb, rssMb, isAlive: Number(isAlive) },
  };
  const text = `${ms(medianMs)} median, ${ms(worstMs)} worst, heap ${heapMb.toFixed(0)} MB${isAlive ? '' : ', a process ended'}`;
  const isMet = isAlive && medianMs <= MEDIAN_MS && worstMs <= WORST_MS && heapMb < HEAP_MB;
  return {
    rows: [{ subject, figures: row }],
    bars: [
      {
        what: subject,
        bar: '1 s median, 5 s worst, heap under 600 MB, no process ends',
        measured: text,
        isMet,
      },
    ],
  };
}

/** Runs an attack and measures the server's CPU time per answer, besides what it uses without requests. */
export async function cpuPerAnswer(
  subject: string,
  server: AttackedServer,
  { attack, mostMs }: { readonly attack: Omit<Attack, 'url'>; readonly mostMs: number },
): Promise<Findings> {
  const idleMs = await server.idleCpuMs();
  const beforeMs = server.cpuMs();
  const spoils = await launchAttack({ ...attack, url: server.url });
  const cpuMs = Math.max(0, server.cpuMs() - beforeMs - idleMs * spoils.seconds);
  // NaN when the attack was not answered at all.
  const eachMs = spoils.answers === 0 ? NaN : cpuMs / spoils.answers;
  const statuses = Object.entries(spoils.statuses).map(([status, count]) => `${count} x ${status}`);
  return {
    rows: [
      { subject, figures: { ...{ seconds: spoils.seconds, answers: spoils.answers, cpuMsEach: eachMs } } },
    ],
    bars: [
      {
        what: subject,
        bar: `under ${mostMs} ms of CPU time each`,
        measured: `${eachMs.toFixed(3)} ms (${statuses.join(', ')})`,
        isMet: eachMs < mostMs,
      },
    ],
  };
}

function sumOf(spoils: readonly Spoils[]): Pick<Spoils, 'answers' | 'ended' | 'seconds'> {
  return {
    answers: spoils.reduce((sum, { answers }) => sum + answers, 0),
    ended: spoils.reduce((sum, { ended }) => sum + ended, 0),
    seconds: Math.max(...spoils.map(({ seconds }) => seconds)),
  };
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

/** Returns the words for a number of server processes. */
export function processesText(count: number): string {
  return count === 1 ? '1 process' : `${count} processes`;
}
