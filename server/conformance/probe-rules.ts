import { probeOf, type Data } from './ask-for.js';
import { expect, expectData, expectFailure, NotSeen, type Bench, type Check } from './check.js';
import { NODES, PROBE_RESULT } from './documented-shapes.js';

/** TCP probes, from the service and from its nodes. */
export const PROBE_RULES: readonly Check[] = [
  {
    name: 'tcping: 401 without a key, else 403 for what is not public, in the body of a HTTP 200 (R5)',
    needs: 'key',
    run: async (bench) => {
      const { client, key, open } = bench;
      // A service for development lets its callers reach the loopback.
      const { ip } = await probeOf(bench, `${open}?count=1`);
      const loopback = String(ip).startsWith('127.') ? [] : ['[::1]:80', '127.0.0.1'];
      for (const target of ['10.0.0.1', '192.168.1.1:22', '169.254.169.254', ...loopback]) {
        expectFailure(await client.ask(`/api/tcping/${target}`), 200, 401);
        expectFailure(await client.ask(`/api/tcping/${target}`, { key }), 200, 403);
      }
    },
  },
  {
    name: 'tcping: count is clamped to 1-10, garbage is the default, the port in the target wins (R32)',
    needs: 'key',
    run: async ({ client, key, open }) => {
      const [, port] = /:(\d+)$/.exec(open) ?? [];
      const reply = await client.ask(`/api/tcping/${open}?count=0&port=1&timeout=x`, { key });
      const result = expectData(reply, PROBE_RESULT);
      expect(result['sent'] === 1, `sent is ${String(result['sent'])}`);
      expect(String(result['port']) === port, `port is ${String(result['port'])}`);
      expect(result['timeout_ms'] === 3000, `timeout_ms is ${String(result['timeout_ms'])}`);
      expectFailure(await client.ask(`/api/tcping/${open.replace(/:\d+$/, ':99999')}`, { key }), 200, 400);
    },
  },
  {
    name: 'tcping: a node that is not online is 404 with available_countries (R34)',
    needs: 'key',
    run: async ({ client, key, open }) => {
      const reply = await client.ask(`/api/tcping/${open}?node=no-such-node`, { key });
      const { available_countries } = expectFailure(reply, 200, 404);
      expect(Array.isArray(available_countries), 'no available_countries');
    },
  },
  {
    name: 'tcping: loss, min, max and avg are those of rtts, in ms with 2 decimals, 100 ms apart (R32)',
    needs: 'key',
    run: async (bench) => {
      const startedMs = performance.now();
      const result = await probeOf(bench, `${bench.open}?count=3&timeout=99999`);
      const tookMs = performance.now() - startedMs;
      expectConsistent(result, 3);
      expect(Number(result['recv']) > 0, `${bench.open} took no connection`);
      expect(result['timeout_ms'] === 5000, `timeout_ms is ${String(result['timeout_ms'])}`);
      expect(tookMs >= 195, `3 attempts took ${tookMs} ms`);
    },
  },
  {
    name: 'tcping: a port where nobody listens is code 0 with loss 100 and no times (R32)',
    needs: 'key',
    run: async (bench) => {
      const host = bench.open.replace(/:\d+$/, '');
      const result = await probeOf(bench, `${host}?port=1&count=2&timeout=100`);
      expectConsistent(result, 2);
      expect(result['port'] === 1 && result['recv'] === 0, 'it was connected to port 1');
      expect(result['min'] === null && result['loss'] === 100, `loss is ${String(result['loss'])}`);
    },
  },
  {
    name: 'tcping: ports out of range are 400, IPv6 is read with brackets and without (R32)',
    needs: 'key',
    run: async ({ client, key, open }) => {
      const host = open.replace(/:\d+$/, '');
      for (const target of [
        `${host}:0`,
        `${host}:x`,
        `${host}?port=65536`,
        `${host}?port=x`,
        '[fd00::1',
        '[10.0.0.1]:80',
      ]) {
        expectFailure(await client.ask(`/api/tcping/${target}`, { key }), 200, 400);
      }
      for (const target of ['[fd00::1]:443', '[fd00::1]', 'fd00::1']) {
        expectFailure(await client.ask(`/api/tcping/${target}`, { key }), 200, 403);
      }
    },
  },
  {
    name: 'tcping: a name whose addresses are all private is 403, through a node too (R33)',
    needs: ['key', 'hidden'],
    run: async ({ client, key, hidden = '' }) => {
      for (const query of ['', '?country=DE']) {
        expectFailure(await client.ask(`/api/tcping/${hidden}:80${query}`, { key }), 200, 403);
      }
    },
  },
  {
    name: 'tcping: a node makes 4 attempts whatever is asked, and is told by its registration (R34, R35)',
    needs: 'key',
    run: async (bench) => {
      const { code, name, country_code, city } = await someNode(bench);
      const result = await probeOf(bench, `${bench.open}?node=${String(code)}&count=2&timeout=200`);
      expectConsistent(result, 4);
      const source = result['source'] as Data;
      const told = { type: 'node', code, name, country_code, city };
      for (const [key, value] of Object.entries(told)) {
        expect(source[key] === value, `source.${key} is ${String(source[key])}`);
      }
      expect(!('timeout_ms' in result), 'a node has a timeout_ms');
    },
  },
  {
    name: 'tcping: node beats country; a country without a node is told those that have one (R34)',
    needs: 'key',
    run: async (bench) => {
      const { code, country_code } = await someNode(bench);
      const { source } = await probeOf(bench, `${bench.open}?node=${String(code)}&country=ZZ`);
      expect((source as Data)['code'] === code, 'the country wins');
      const reply = await bench.client.ask(`/api/tcping/${bench.open}?country=ZZ`, { key: bench.key });
      const countries = expectFailure(reply, 200, 404)['available_countries'] as unknown[];
      expect(countries.includes(country_code), `${String(country_code)} is not among them`);
      for (const one of countries) expect(/^[A-Z]{2}$/.test(String(one)), `${String(one)} is no ISO code`);
    },
  },
  {
    name: 'tcping: timeout_ms stands with the source origin (R35)',
    needs: 'key',
    run: async (bench) => {
      const { source, timeout_ms } = await probeOf(bench, `${bench.open}?count=1&timeout=1`);
      expect((source as Data)['type'] === 'origin', 'the source is no origin');
      expect(Object.keys(source as Data).length === 1, 'an origin has more than its type');
      expect(timeout_ms === 100, `timeout_ms is ${String(timeout_ms)}`);
    },
  },
];

/** Throws NotSeen when no node is online. */
async function someNode({ client }: Bench): Promise<Data> {
  const reply = await client.ask('/api/nodes');
  expectData(reply, NODES);
  const [node] = (reply.body as { data: Data[] }).data;
  if (node === undefined) throw new NotSeen('no probe node is online');
  expect(node['status'] === 1, 'a listed node is not online');
  return node;
}

/** Holds what is counted against the round trips. */
function expectConsistent({ rtts, sent, recv, loss, min, max, avg }: Data, count: number): void {
  const all = rtts as (number | null)[];
  const good = all.filter((rtt) => rtt !== null);
  expect(all.length === count && sent === count, `${all.length} attempts instead of ${count}`);
  expect(recv === good.length, `recv is ${String(recv)}`);
  const lost = (100 * (count - good.length)) / count;
  expect(Math.abs(Number(loss) - lost) < 0.01, `loss is ${String(loss)} instead of ${lost}`);
  for (const rtt of good)
    expect(Math.abs(rtt * 100 - Math.round(rtt * 100)) < 1e-6, `${rtt} has more decimals`);
  const mean = good.reduce((sum, rtt) => sum + rtt, 0) / good.length;
  expect(min === (good.length === 0 ? null : Math.min(...good)), `min is ${String(min)}`);
  expect(max === (good.length === 0 ? null : Math.max(...good)), `max is ${String(max)}`);
  const isMean = good.length === 0 ? avg === null : Math.abs(Number(avg) - mean) < 0.011;
  expect(isMean, `avg is ${String(avg)} instead of ${mean}`);
}
