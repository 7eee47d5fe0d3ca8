import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { Deadline } from '../deadline.js';
import { parseNameServer, systemNameServers, type NameServer } from '../dns/name-server.js';
import { reverseNameOf } from '../dns/reverse-name.js';
import { queryOverUdp } from '../dns/udp-exchange.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { UpstreamError } from '../upstream-error.js';
import { DoctorWarning, type Check } from './check.js';

/** What a resolver of this network may know about this machine. */
export interface MachineNames {
  readonly host: string;
  /** Search domains of resolv.conf. */
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
}

/** Checks that each DNS server knows no names of private networks, because callers could query them. */
export function privateNameChecks(
  servers: readonly string[],
  reserved: ReservedSpace,
  machine: MachineNames = readMachineNames(),
): readonly (Check & { readonly server: string })[] {
  const all = servers.length === 0 ? systemNameServers() : servers.map(parseNameServer);
  const questions = questionsAbout(machine, reserved);
  return all.map((server) => ({
    server: server.text,
    group: 'Settings',
    name: `DNS server ${server.text}`,
    run: async (deadline) => {
      const known = await Promise.all(questions.map((question) => isKnown(server, question, deadline)));
      const first = questions[known.indexOf(true)];
      if (first !== undefined)
        throw new DoctorWarning(
          `answers ${first.name} ${first.type}, a name of a private network, also for callers; use public resolvers in DNS_SERVERS`,
        );
      if (reserved.has(server.address))
        throw new DoctorWarning(
          'is in a private network and may know its names, also for callers; use public resolvers in DNS_SERVERS',
        );
      return `answers none of ${questions.length} private names`;
    },
  }));
}

interface PrivateQuestion {
  readonly name: string;
  readonly type: 'A' | 'PTR';
  /** Returns whether a record is one that the public DNS would not have. */
  readonly isPrivate: (value: string) => boolean;
}

/** Suffixes that the public DNS does not have (RFC 6762, RFC 8375, ICANN's `internal`). */
const SUFFIXES = ['local', 'internal', 'lan', 'home.arpa', 'localdomain'] as const;
/** Names that clouds and container platforms answer. */
const WELL_KNOWN = [
  'metadata.google.internal',
  'instance-data.ec2.internal',
  'host.docker.internal',
  'kubernetes.default.svc.cluster.local',
] as const;

function questionsAbout({ host, domains, addresses }: MachineNames, reserved: ReservedSpace) {
  const always = (): boolean => true;
  const isReserved = (ip: string): boolean => reserved.has(ip);
  // Resolvers that answer every name for advertising know this one too.
  const control = `ipatlas-${randomBytes(6).toString('hex')}.internal`;
  const names = [control, ...SUFFIXES.map((suffix) => `${host}.${suffix}`), ...WELL_KNOWN];
  const questions: PrivateQuestion[] = [
    ...names.map((name) => ({ name, type: 'A' as const, isPrivate: always })),
    // A search domain may be a public one.
    ...domains.map((domain) => ({ name: `${host}.${domain}`, type: 'A' as const, isPrivate: isReserved })),
    ...addresses
      .filter(isReserved)
      .map((ip) => ({ name: reverseNameOf(ip), type: 'PTR' as const, isPrivate: always })),
  ];
  return questions.filter(({ name }) => NAME.test(name) && name.length <= 253);
}

const NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/** Returns whether a server has a private record. A server that does not answer has none. */
async function isKnown(
  server: NameServer,
  { name, type, isPrivate }: PrivateQuestion,
  deadline: Deadline,
): Promise<boolean> {
  try {
    const query = { id: randomInt(0x10000), name, type, edns: true };
    const { records } = await queryOverUdp(server, query, deadline);
    return records.some((record) => record.type === type && isPrivate(record.value));
  } catch (error) {
    if (error instanceof UpstreamError) return false;
    throw error;
  }
}

function readMachineNames(): MachineNames {
  const [host = ''] = hostname().toLowerCase().split('.');
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
  return { host, domains: searchDomains(), addresses };
}

/** Returns the search domains of resolv.conf(5); none without the file. */
function searchDomains(): readonly string[] {
  try {
    const lines = readFileSync('/etc/resolv.conf', 'utf8').split('\n');
    const found = lines.flatMap(
      (line) => /^\s*(?:search|domain)\s+(.*)$/.exec(line)?.[1]?.split(/\s+/) ?? [],
    );
    return found.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
