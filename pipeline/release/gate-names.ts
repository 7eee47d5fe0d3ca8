import type { Gate } from './contract.js';

/** What the gates are called. */
export const GATE_NAMES = {
  tree: 'tree verifies',
  rows: 'row counts',
  coverage: 'coverage',
  routes: 'routing table',
  proxies: 'proxies',
  canaries: 'canaries',
  schema: 'schema',
} as const;

/**
 * The gates that a person may overrule: the world may have changed. A file that is broken or breaks its schema stays
 * so, whoever has looked at it.
 */
export const ACCEPTABLE_GATES = [
  GATE_NAMES.rows,
  GATE_NAMES.coverage,
  GATE_NAMES.routes,
  GATE_NAMES.proxies,
  GATE_NAMES.canaries,
] as const;
export type AcceptableGate = (typeof ACCEPTABLE_GATES)[number];

/** The gates as they are when a person accepts some: those pass and say so. Only acceptable ones can be named. */
export function acceptGates(gates: readonly Gate[], accepted: readonly AcceptableGate[]): Gate[] {
  return gates.map((judged) =>
    judged.passed || !accepted.some((name) => name === judged.name)
      ? judged
      : { ...judged, passed: true, found: `${judged.found} (accepted by hand)` },
  );
}

/** Whether a person may overrule the gate. */
export function isAcceptable({ name }: Gate): boolean {
  return ACCEPTABLE_GATES.some((acceptable) => acceptable === name);
}
