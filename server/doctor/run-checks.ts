import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { Check, Finding } from './check.js';

/** How checks are run. */
export interface CheckRun {
  /** How many at a time. */
  readonly parallel: number;
  /** Of each check. */
  readonly checkMs: number;
  /** Of all; what has not begun by then is broken. */
  readonly deadline: Deadline;
  /** Hears of each finding as it comes. */
  readonly onFinding: (finding: Finding, left: number) => void;
}

/** Runs all; the findings in the order of the checks. */
export async function runChecks(checks: readonly Check[], run: CheckRun): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let next = 0;
  let left = checks.length;
  const work = async (): Promise<void> => {
    for (let i = next++; i < checks.length; i = next++) {
      const finding = await runCheck(checks[i]!, run);
      findings[i] = finding;
      run.onFinding(finding, --left);
    }
  };
  await Promise.all(Array.from({ length: run.parallel }, work));
  return findings;
}

async function runCheck(check: Check, { checkMs, deadline }: CheckRun): Promise<Finding> {
  const { group, name } = check;
  const began = performance.now();
  const found = (state: Finding['state'], detail: string): Finding => ({
    ...{ group, name, state, detail },
    ms: Math.round(performance.now() - began),
  });
  if (leftOf(deadline) === 0) return found('broken', 'not tried: the time was over');
  try {
    return found('ok', await check.run(deadlineIn(checkMs, deadline)));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return found('broken', error.message);
  }
}
