import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  close(): Promise<void>;
}

/** Makes it. */
export function openLiveParts(config: ServerConfig, reserved: ReservedSpace): LiveParts {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  return {
    guard,
    close: () => Promise.resolve(),
  };
}
