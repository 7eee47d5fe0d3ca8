import { isIPv6 } from 'node:net';
import { probeOf, someNode, usedToday, type Data } from './ask-for.js';
import { CheckSkipped, expect, expectFailure, type CheckContext, type Rule } from './check.js';
import type { Reply } from './service-client.js';

/** What nodes may answer, and what may be probed. */
export const PROBE_LIMIT_RULES: readonly Rule[] = [
  {
    name: "tcping: a node's answer has the address that was asked for, in canonical text, and no time over 3 s",
    decisions: [65],
    needs: 'key',
    run: async (context) => {
      const { open } = context;
      const from = `node=${String((await someNode(context))['code'])}`;
      const [, port = ''] = /:(\d+)$/.exec(open) ?? [];
      const { ip } = await probeOf(context, `${open}?count=1`);
      const host = isIPv6(String(ip)) ? `[${String(ip)}]` : String(ip);
      const named = await probeOf(context, `${open}?${from}`);
      expect(isCanonical(String(named['ip'])), `ip is ${String(named['ip'])}`);
      const literal = await probeOf(context, `${host}:${port}?${from}`);
      expect(literal['ip'] === ip, `ip is ${String(literal['ip'])}, expected ${String(ip)}`);
      for (const rtt of [...(named['rtts'] as unknown[]), ...(literal['rtts'] as unknown[])])
        expect(rtt === null || Number(rtt) <= 3000, `a time is ${String(rtt)} ms, expected at most 3000`);
    },
  },
  {
    name: 'tcping: a refused port is 403 from the service and from nodes, and costs nothing',
    decisions: [66],
    needs: ['key', 'refusedPort'],
    run: async (context) => {
      const { client, key, open, refusedPort = '' } = context;
      const host = open.replace(/:\d+$/, '');
      const from = `node=${String((await someNode(context))['code'])}`;
      const before = await usedToday(context, key);
      for (const asked of [
        `${host}:${refusedPort}`,
        `${host}?port=${refusedPort}`,
        `${host}:${refusedPort}?${from}`,
      ])
        expectFailure(await client.ask(`/api/tcping/${asked}`, { key }), 200, 403);
      const counted = (await usedToday(context, key)) - before;
      expect(counted === 0, `${counted} refused probes were counted`);
    },
  },
  {
    name: 'tcping: an account may probe 100 different ports an hour; 429 names the limit and is free, ports of the hour still work',
    decisions: [67],
    needs: ['enterpriseKey', 'manyPorts'],
    run: async (context) => {
      const { enterpriseKey: key } = context;
      const before = await usedToday(context, key);
      const { granted, refused } = await probeManyPorts(context);
      expect(refused !== undefined, `${granted.length} different ports were probed, expected at most 100`);
      expectLimit(refused);
      const counted = (await usedToday(context, key)) - before;
      expect(counted === granted.length, `${counted} calls were counted, expected ${granted.length}`);
      const again = await probePort(context, granted[0] ?? FIRST_PORT);
      expect(again.status === 200, `a port of the same hour is HTTP ${again.status}`);
    },
  },
];

/** Returns whether text is an address as RFC 5952 writes it. IPv4 has one spelling, which the check of shapes allows. */
function isCanonical(ip: string): boolean {
  return !isIPv6(ip) || new URL(`http://[${ip}]/`).hostname === `[${ip}]`;
}

const FIRST_PORT = 20_001;

/** Probes up to 101 ports. An earlier run in the same hour probed the first of them. Stops at a refusal. */
async function probeManyPorts(context: CheckContext): Promise<{ granted: number[]; refused?: Reply }> {
  const granted: number[] = [];
  const quarter = quarterOfHour();
  for (let port = FIRST_PORT; port <= FIRST_PORT + 100; port++) {
    const reply = await probePort(context, port);
    if (reply.status === 429) return { granted, refused: reply };
    expect((reply.body as Data)['code'] === 0, `port ${port}: ${reply.text.slice(0, 120)}`);
    granted.push(port);
  }
  if (quarterOfHour() !== quarter) throw new CheckSkipped('the hour may have ended during the check');
  return { granted };
}

/** Returns a number that changes when a clock hour ends in any time zone. */
function quarterOfHour(): number {
  return Math.floor(Date.now() / 900_000);
}

/** Probes a port once. Waits for the next minute if the key's requests are used up. */
async function probePort(
  { client, enterpriseKey: key, manyPorts = '' }: CheckContext,
  port: number,
): Promise<Reply> {
  const path = `/api/tcping/${manyPorts}:${port}?count=1&timeout=100`;
  const reply = await client.ask(path, { key, whenSpent: 'return' });
  const isMinute = reply.status === 429 && !('limit' in (reply.body as Data));
  return isMinute ? await client.ask(path, { key }) : reply;
}

/** Checks the refusal of a 101st port. */
function expectLimit(reply: Reply): void {
  const { limit, reset_at, reset_iso } = expectFailure(reply, 429, 429);
  expect(limit === 100, `limit is ${String(limit)}, expected 100`);
  const waitSeconds = Number(reply.headers.get('retry-after') ?? NaN);
  expect(waitSeconds >= 1 && waitSeconds <= 3600, `Retry-After is ${waitSeconds}, expected 1-3600`);
  const leftSeconds = Number(reset_at) - Date.now() / 1000;
  expect(
    Math.abs(leftSeconds - waitSeconds) < 60,
    `reset_at is in ${leftSeconds} s, Retry-After ${waitSeconds}`,
  );
  expect(Date.parse(String(reset_iso)) === Number(reset_at) * 1000, `reset_iso is ${String(reset_iso)}`);
}
