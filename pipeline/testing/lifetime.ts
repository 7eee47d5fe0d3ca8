/** The time for which a resource is needed: a test, or a program that uses the same resources as tests. */
export interface Lifetime {
  /** Registers a cleanup. Cleanups run at the end, the last one registered first. */
  teardown(end: () => unknown): void;
}
