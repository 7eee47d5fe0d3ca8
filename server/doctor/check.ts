import type { Deadline } from '../deadline.js';

/** Whether something works from here. */
export type FindingState = 'ok' | 'broken';

/** What became of one check. */
export interface Finding {
  readonly group: string;
  readonly name: string;
  readonly state: FindingState;
  /** In words. */
  readonly detail: string;
  readonly ms: number;
}

/** One thing to look at. */
export interface Check {
  /** Heading of the report. */
  readonly group: string;
  readonly name: string;
  /** What was seen, in words; throws UpstreamError when it does not work. */
  run(deadline: Deadline): Promise<string>;
}
