import { limitExceeded, type Failure } from '../failure.js';
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

function tooManyTargets(refused: RefusedProbeTarget): Failure {
  const { what, limit } = refused;
  return limitExceeded(
    refused,
    (waitSeconds) =>
      `limit of ${limit} different ${what} per hour exceeded, retry in ${waitSeconds} s; ${what} probed in this hour still work`,
  );
}
