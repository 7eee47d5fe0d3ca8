import type { CanaryResult } from './canaries.js';
import type { CheckOutcome } from './figures.js';

/** Returns the wrong canaries, or one outcome if all are right. */
export function judgeCanaries(results: readonly CanaryResult[]): CheckOutcome[] {
  if (results.length === 0) return [{ passed: false, found: 'no canaries were looked up' }];
  const wrong = results.filter(({ passed }) => !passed);
  if (wrong.length === 0) return [{ passed: true, found: describeRight(results) }];
  return wrong.map(({ ip, found, expected }) => ({
    passed: false,
    found: `${ip}: ${found}, expected ${expected}`,
  }));
}

function describeRight(results: readonly CanaryResult[]): string {
  const excused = results.filter(({ excuse }) => excuse !== undefined);
  const excuses = excused.map(({ ip, found, excuse }) => `${ip}: ${found}, ${excuse}`);
  return [`${results.length - excused.length} of ${results.length} as expected`, ...excuses].join('; ');
}
