/** What lasts as long as what was started for it: a test, or a program that runs what tests run. */
export interface Lifetime {
  /** `end` is called at the end; what came last ends first. */
  teardown(end: () => unknown): void;
}
