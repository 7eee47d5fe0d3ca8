import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { openNodes, type Nodes } from '../nodes/open-nodes.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  readonly nodes: Nodes;
  close(): Promise<void>;
}

/** Makes it. */
export function openLiveParts(config: ServerConfig, reserved: ReservedSpace, log: Logger): LiveParts {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  const nodes = openNodes({
    ...{ redis: config.redis, guard, times: config.nodeTimes },
    log: (line) => {
      log.info(line);
    },
  });
  return {
    ...{ guard, nodes },
    close: () => {
      nodes.close();
      return Promise.resolve();
    },
  };
}
