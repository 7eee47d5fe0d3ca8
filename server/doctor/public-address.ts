import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { deadlineIn, type Deadline } from '../deadline.js';
import { queryOverUdp } from '../dns/udp-exchange.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import type { PublicHosts } from '../egress/public-hosts.js';
import { UpstreamError } from '../upstream-error.js';
import { DoctorWarning, type Check } from './check.js';

/** A name server that answers one name with the address that asked. */
export interface AddressEcho {
  readonly host: string;
  /** 53, except in tests. */
  readonly port: number;
  readonly name: string;
  readonly type: 'A' | 'TXT';
}

/** Asked directly: through a resolver they would see the resolver's address. */
export const ADDRESS_ECHOES: readonly AddressEcho[] = [
  { host: 'ns1.google.com', port: 53, name: 'o-o.myaddr.l.google.com', type: 'TXT' },
  { host: 'resolver1.opendns.com', port: 53, name: 'myip.opendns.com', type: 'A' },
];

/** Checks that callers cannot reach the address that other servers see, such as that of a NAT. */
export function publicAddressCheck(
  { hosts, guard }: { readonly hosts: Pick<PublicHosts, 'require'>; readonly guard: EgressGuard },
  echoes: readonly AddressEcho[],
): Check {
  return {
    group: 'Settings',
    name: 'EGRESS_DENY',
    run: async (deadline) => {
      const seen = (await Promise.all(echoes.map((echo) => addressesSeen(hosts, echo, deadline)))).flat();
      if (seen.length === 0)
        throw new DoctorWarning(
          `the public address of this machine is unknown, because ${echoes.map(({ host }) => host).join(' and ')} ` +
            'did not answer; behind a NAT it must be in EGRESS_DENY',
        );
      const open = seen.find(({ ip }) => guard.allows(ip));
      if (open !== undefined)
        throw new DoctorWarning(
          `${open.host} sees this machine as ${open.ip}, which callers can reach through the server; add it to EGRESS_DENY`,
        );
      return `callers cannot reach ${[...new Set(seen.map(({ ip }) => ip))].join(', ')}, the public address of this machine`;
    },
  };
}

/** Asks one server over IPv4 and IPv6. Returns no address from a server that does not answer. */
async function addressesSeen(
  hosts: Pick<PublicHosts, 'require'>,
  echo: AddressEcho,
  outer: Deadline,
): Promise<readonly { readonly ip: string; readonly host: string }[]> {
  const deadline = deadlineIn(ECHO_MS, outer);
  const ips = await unlessUpstream(hosts.require({ kind: 'host', name: echo.host }, deadline), []);
  const ofFamilies = ([4, 6] as const).map(async (family) => {
    const address = ips.find((ip) => isIP(ip) === family);
    if (address === undefined) return [];
    const server = { address, port: echo.port, family, text: echo.host };
    const query = { id: randomInt(0x10000), name: echo.name, type: echo.type, edns: true };
    const found = await unlessUpstream(queryOverUdp(server, query, deadline), { records: [] });
    return found.records.map(({ value }) => value).filter((value) => isIP(value) !== 0);
  });
  const answered = (await Promise.all(ofFamilies)).flat();
  return [...new Set(answered)].map((ip) => ({ ip, host: echo.host }));
}

const ECHO_MS = 4000;

async function unlessUpstream<Value, Other>(work: Promise<Value>, otherwise: Other): Promise<Value | Other> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UpstreamError) return otherwise;
    throw error;
  }
}
