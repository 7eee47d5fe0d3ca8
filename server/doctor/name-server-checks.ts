import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { leftOf, type Deadline } from '../deadline.js';
import { decodeResponse, encodeQuery, isResponseTo, type Query } from '../dns/message.js';
import { UpstreamError } from '../upstream-error.js';
import type { Check } from './check.js';

/** Whether each DNS server answers, and resolves what it does not know itself. */
export function nameServerChecks(servers: readonly string[]): Check[] {
  const all = servers.length === 0 ? getServers() : servers;
  return all.map((server) => ({
    group: 'DNS servers',
    name: server,
    run: (deadline) => askOnce(server, deadline),
  }));
}

const QUESTION = { name: 'example.com', type: 'A', edns: true } as const;
/** "Recursion available", in the fourth byte (RFC 1035 §4.1.1). */
const RA = 0x80;

async function askOnce(server: string, deadline: Deadline): Promise<string> {
  const query: Query = { ...QUESTION, id: randomInt(0x10000) };
  const reply = await exchange(server, query, deadline);
  if ((reply[3]! & RA) === 0) throw new UpstreamError('failed', 'it offers no recursion');
  const { rcode } = decodeResponse(reply, query);
  if (rcode !== 'NOERROR') throw new UpstreamError('failed', `it answers ${rcode} for ${query.name}`);
  return 'answers, with recursion';
}

async function exchange(server: string, query: Query, deadline: Deadline): Promise<Buffer> {
  const [, bracketed, plain = server, port = '53'] =
    isIP(server) === 0 ? (/^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server) ?? []) : [];
  const address = bracketed ?? plain;
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new UpstreamError('timeout', 'no answer'));
      }, leftOf(deadline));
      socket.on('error', (cause) => {
        reject(new UpstreamError('unreachable', cause.message, { cause }));
      });
      socket.on('message', (message) => {
        if (isResponseTo(message, query)) resolve(message);
      });
      // Connected, the socket hears of closed ports and of no other sender.
      socket.connect(Number(port), address, () => {
        socket.send(encodeQuery(query));
      });
    });
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
