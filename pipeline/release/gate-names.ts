import type { Gate } from './contract.js';

/** The ids of the gates. */
export const GATE_NAMES = {
  tree: 'tree verifies',
  rows: 'row counts',
  coverage: 'coverage',
  routes: 'routing table',
  proxies: 'proxies',
  accuracy: 'accuracy',
  canaries: 'canaries',
  schema: 'schema',
} as const;

/**
 * The gates that a person may overrule, because the world may have changed. A broken file or a schema violation cannot
 * be accepted.
 */
export const ACCEPTABLE_GATES = [
  GATE_NAMES.rows,
  GATE_NAMES.coverage,
  GATE_NAMES.routes,
  GATE_NAMES.proxies,
  GATE_NAMES.accuracy,
  GATE_NAMES.canaries,
] as const;
export type AcceptableGate = (typeof ACCEPTABLE_GATES)[number];

/** Marks the accepted gates as passed, with a note in `found`. */
export function acceptGates(gates: readonly Gate[], accepted: readonly AcceptableGate[]): Gate[] {
  return gates.map((judged) =>
    judged.passed || !accepted.some((name) => name === judged.name)
      ? judged
      : { ...judged, passed: true, found: `${judged.found} (accepted by hand)` },
  );
}

/** Returns whether a person may overrule the gate. */
export function isAcceptable({ name }: Gate): boolean {
  return ACCEPTABLE_GATES.some((acceptable) => acceptable === name);
}
