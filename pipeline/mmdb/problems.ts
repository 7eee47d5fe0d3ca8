import type { MmdbError, MmdbFault } from './mmdb-error.js';

/** One thing that is wrong with a file. */
export interface VerifyProblem {
  readonly code: MmdbFault;
  /** Byte offset in the file. */
  readonly offset: number;
  /** `/city/names/en`, or a network where the search tree is at fault. */
  readonly path: string;
  readonly text: string;
}

/** How many problems are described; the others are counted. */
export const PROBLEMS_DESCRIBED = 100;

/** Problems as they are found. */
export class ProblemList {
  readonly described: VerifyProblem[] = [];
  count = 0;

  /** `describe` is called only for the first ones, so a file full of problems costs no more than counting them. */
  add(describe: () => MmdbError): void {
    if (++this.count > PROBLEMS_DESCRIBED) return;
    const { fault, offset, path, found } = describe();
    this.described.push({ code: fault, offset, path, text: found });
  }
}
