import type { MmdbError, MmdbFault } from './mmdb-error.js';

/** One problem of a file. */
export interface VerifyProblem {
  readonly code: MmdbFault;
  /** The byte offset in the file. */
  readonly offset: number;
  /** `/city/names/en`, or a network for a problem in the search tree. */
  readonly path: string;
  readonly text: string;
}

/** The number of problems that are described. Further problems are only counted. */
export const PROBLEMS_DESCRIBED = 100;

/** The problems of a file, in the order in which they are found. */
export class ProblemList {
  readonly described: VerifyProblem[] = [];
  count = 0;

  /** Counts a problem. Calls `describe` only for the first PROBLEMS_DESCRIBED problems. */
  add(describe: () => MmdbError): void {
    if (++this.count > PROBLEMS_DESCRIBED) return;
    const { fault, offset, path, found } = describe();
    this.described.push({ code: fault, offset, path, text: found });
  }
}
