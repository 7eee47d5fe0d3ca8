import { parseAddress } from '../../../pipeline/net/address.js';
import type { Calendar } from '../calendar.js';
import { accountSubjectId, shardPrefix } from '../redis-keys.js';
import type { RedisMemory } from '../redis-memory.js';
import type { RedisConnection, Scripts } from '../redis-connection.js';

/** Distinct hosts and distinct ports that an account may probe per clock hour (decision 67). */
export const PROBE_TARGETS = { hosts: 300, ports: 100 } as const;

/** A host and a port to probe. */
export interface ProbedTarget {
  /** In canonical text. */
  readonly ip: string;
  readonly port: number;
}

/** A target beyond a limit. */
export interface RefusedProbeTarget {
  readonly what: keyof typeof PROBE_TARGETS;
  readonly limit: number;
  /** Unix seconds. */
  readonly resetAt: number;
}

/** Counts the distinct targets of probes. */
export interface ProbeTargetMeter {
  /**
   * Counts host and port for the account and the clock hour, both or neither, in one atomic step. Returns the exceeded
   * limit, or undefined. A target of the same hour is always admitted. Throws Failure(503) while Redis is unavailable.
   */
  take(accountId: number, target: ProbedTarget): Promise<RefusedProbeTarget | undefined>;
}

/**
 * KEYS: the hour's hosts and ports, both sets. ARGV: host, port, limits of hosts and ports. Returns the limit that is
 * exceeded: 0 none, 1 hosts, 2 ports. Then nothing is added.
 */
const TAKE = `
for i = 1, 2 do
  local isNew = redis.call('SISMEMBER', KEYS[i], ARGV[i]) == 0
  if isNew and redis.call('SCARD', KEYS[i]) >= tonumber(ARGV[i + 2]) then return i end
end
for i = 1, 2 do
  redis.call('SADD', KEYS[i], ARGV[i])
  redis.call('EXPIRE', KEYS[i], 7200)
end
return 0
`;

interface TargetCommands {
  takeProbeTarget(
    hostsKey: string,
    portsKey: string,
    host: string,
    port: number,
    hosts: number,
    ports: number,
  ): Promise<0 | 1 | 2>;
}

const TARGET_SCRIPTS: Scripts<TargetCommands> = { takeProbeTarget: { lua: TAKE, numberOfKeys: 2 } };

const EXCEEDED = [undefined, 'hosts', 'ports'] as const;

/** The targets of each account and hour in Redis: two sets, of at most some kilobytes for IPv4. */
export class RedisProbeTargetMeter implements ProbeTargetMeter {
  readonly #commands: TargetCommands;

  constructor(
    private readonly redis: RedisConnection,
    private readonly calendar: Calendar,
    private readonly memory: RedisMemory,
  ) {
    this.#commands = redis.withScripts<TargetCommands>(TARGET_SCRIPTS);
  }

  async take(accountId: number, { ip, port }: ProbedTarget): Promise<RefusedProbeTarget | undefined> {
    const { hour, nextHour } = this.calendar.today();
    const id = accountSubjectId(accountId);
    const prefix = `${shardPrefix(id)}pt:${id}:${hour}:`;
    const { hosts, ports } = PROBE_TARGETS;
    const keys = [`${prefix}h`, `${prefix}p`] as const;
    const take = () => this.#commands.takeProbeTarget(...keys, memberOf(ip), port, hosts, ports);
    const what = EXCEEDED[await this.redis.reply(this.memory.withRoom(take))];
    return what === undefined ? undefined : { what, limit: PROBE_TARGETS[what], resetAt: nextHour };
  }
}

/** Returns an IPv4 address as an integer, because Redis stores sets of integers in 8 bytes each. */
function memberOf(ip: string): string {
  const parsed = parseAddress(ip);
  return parsed?.family === 4 ? String(parsed.address[3]) : ip;
}
