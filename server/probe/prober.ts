/** What to probe: an address the guard allows. */
export interface Probe {
  readonly ip: string;
  readonly port: number;
  readonly count: number;
  /** Per attempt. */
  readonly timeoutMs: number;
}

/** One value per attempt: ms from connect() to the connection, two decimals; null if it failed (decision 32). */
export type RoundTrips = readonly (number | null)[];

/** Makes sequential TCP connections, 100 ms apart, and closes each immediately. */
export interface Prober {
  /** Probes an address. Never rejects because of the target. Throws ProbeRefused when this machine is at its limits. */
  probe(probe: Probe): Promise<RoundTrips>;
}

/** Thrown when this machine could not make or finish a probe. Not a result about the target. */
export class ProbeRefused extends Error {
  override readonly name = 'ProbeRefused';
}
