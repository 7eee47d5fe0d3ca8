import type { Deadline } from '../deadline.js';

/** Whether a check passed. A warning is a setting that may be dangerous; it does not fail the run. */
export type FindingState = 'ok' | 'warning' | 'broken';

/** Thrown by a check whose subject works, but may be dangerous. */
export class DoctorWarning extends Error {
  override readonly name = 'DoctorWarning';
}

/** The result of one check. */
export interface Finding {
  readonly group: string;
  readonly name: string;
  readonly state: FindingState;
  /** What was observed, or why the check failed. */
  readonly detail: string;
  readonly ms: number;
}

/** One check of an upstream. */
export interface Check {
  /** Heading in the report. */
  readonly group: string;
  readonly name: string;
  /** Returns what was observed. Throws UpstreamError when the upstream does not work, or DoctorWarning. */
  run(deadline: Deadline): Promise<string>;
}
