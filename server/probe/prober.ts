/** What is tried: an address that the guard has let through. */
export interface Probe {
  readonly ip: string;
  readonly port: number;
  readonly count: number;
  /** For each attempt, ms. */
  readonly timeoutMs: number;
}

/** One per attempt: ms from connect() to the connection, two decimals; null where none came about (ruling 32). */
export type RoundTrips = readonly (number | null)[];

/** Makes TCP connections one after the other, 100 ms apart, and ends each at once. */
export interface Prober {
  /** Never rejects for what the target does; throws ProbeRefused for what this machine cannot do now. */
  probe(probe: Probe): Promise<RoundTrips>;
}

/** A probe that was not made, or not to its end, for want of something of ours: it says nothing about the target. */
export class ProbeRefused extends Error {
  override readonly name = 'ProbeRefused';
}
