import type { Deadline } from '../deadline.js';

/** Whether a check passed. */
export type FindingState = 'ok' | 'broken';

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
  /** Returns what was observed. Throws UpstreamError when the upstream does not work. */
  run(deadline: Deadline): Promise<string>;
}
