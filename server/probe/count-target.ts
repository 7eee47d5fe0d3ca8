import { Failure } from '../failure.js';
import type {
  ProbedTarget,
  ProbeTargetMeter,
  RefusedProbeTarget,
} from '../ledger/meters/probe-target-meter.js';

/** Counts a target of an account. Throws Failure(429) beyond its limit of distinct hosts or ports (decision 67). */
export async function countTarget(
  meter: ProbeTargetMeter,
  accountId: number,
  target: ProbedTarget,
): Promise<void> {
  const refused = await meter.take(accountId, target);
  if (refused !== undefined) throw tooManyTargets(refused);
}

function tooManyTargets({ what, limit, resetAt }: RefusedProbeTarget): Failure {
  const waitSeconds = Math.max(1, Math.ceil(resetAt - Date.now() / 1000));
  return new Failure(
    429,
    `limit of ${limit} different ${what} per hour exceeded, retry in ${waitSeconds} s; ${what} probed in this hour still work`,
    { limit, reset_at: resetAt, reset_iso: new Date(resetAt * 1000).toISOString() },
    { headers: { 'Retry-After': String(waitSeconds) } },
  );
}
