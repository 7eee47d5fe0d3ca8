import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { DoctorWarning, type Check, type Finding } from './check.js';

/** How to run checks. */
export interface CheckRun {
  /** Number of concurrent checks. */
  readonly parallel: number;
  /** Time limit per check. */
  readonly checkMs: number;
  /** Deadline for all checks. Checks that have not started by then are broken. */
  readonly deadline: Deadline;
  /** Called with each finding when its check ends. */
  readonly onFinding: (finding: Finding, left: number) => void;
}

/** Runs all checks. Returns the findings in the order of the checks. */
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
    group,
    name,
    state,
    detail,
    ms: Math.round(performance.now() - began),
  });
  if (leftOf(deadline) === 0) return found('broken', 'not tried: out of time');
  try {
    return found('ok', await check.run(deadlineIn(checkMs, deadline)));
  } catch (error) {
    if (error instanceof DoctorWarning) return found('warning', error.message);
    if (!(error instanceof UpstreamError)) throw error;
    return found('broken', error.message);
  }
}
