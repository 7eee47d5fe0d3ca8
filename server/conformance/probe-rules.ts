import { probeOf, someNode, type Data } from './ask-for.js';
import { expect, expectData, expectFailure, type Rule } from './check.js';
import { PROBE_RESULT } from './documented-shapes.js';

/** TCP probes from the service and from nodes. */
export const PROBE_RULES: readonly Rule[] = [
  {
    name: 'tcping: code 401 without a key, otherwise 403 for a target that is not public, with HTTP 200',
    decisions: [5],
    needs: 'key',
    run: async (context) => {
      const { client, key, open } = context;
      // A development server may allow loopback targets.
      const { ip } = await probeOf(context, `${open}?count=1`);
      const loopback = String(ip).startsWith('127.') ? [] : ['[::1]:80', '127.0.0.1'];
      for (const target of ['10.0.0.1', '192.168.1.1:22', '169.254.169.254', ...loopback]) {
        expectFailure(await client.ask(`/api/tcping/${target}`), 200, 401);
        expectFailure(await client.ask(`/api/tcping/${target}`, { key }), 200, 403);
      }
    },
  },
  {
    name: 'tcping: count is clamped to 1-10; invalid numbers mean the default; the port in the target takes precedence',
    decisions: [32],
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
    name: 'tcping: an unknown node is 404 with available_countries',
    decisions: [34],
    needs: 'key',
    run: async ({ client, key, open }) => {
      const reply = await client.ask(`/api/tcping/${open}?node=no-such-node`, { key });
      const { available_countries } = expectFailure(reply, 200, 404);
      expect(Array.isArray(available_countries), 'available_countries is missing');
    },
  },
  {
    name: 'tcping: loss, min, max and avg match rtts, in ms with 2 decimals; attempts are 100 ms apart',
    decisions: [32],
    needs: 'key',
    run: async (context) => {
      const startedMs = performance.now();
      const result = await probeOf(context, `${context.open}?count=3&timeout=99999`);
      const tookMs = performance.now() - startedMs;
      expectConsistent(result, 3);
      expect(Number(result['recv']) > 0, `${context.open} accepted no connection`);
      expect(result['timeout_ms'] === 5000, `timeout_ms is ${String(result['timeout_ms'])}`);
      expect(tookMs >= 195, `3 attempts took ${tookMs} ms, expected at least 195`);
    },
  },
  {
    name: 'tcping: a port without a listener is code 0 with loss 100 and no times',
    decisions: [32],
    needs: 'key',
    run: async (context) => {
      const host = context.open.replace(/:\d+$/, '');
      const result = await probeOf(context, `${host}?port=1&count=2&timeout=100`);
      expectConsistent(result, 2);
      expect(result['port'] === 1 && result['recv'] === 0, 'connected to port 1');
      expect(result['min'] === null && result['loss'] === 100, `loss is ${String(result['loss'])}`);
    },
  },
  {
    name: 'tcping: ports out of range are 400; IPv6 is accepted with and without brackets',
    decisions: [32],
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
    name: 'tcping: a name with only private addresses is 403, also from a node',
    decisions: [33],
    needs: ['key', 'hidden'],
    run: async ({ client, key, hidden = '' }) => {
      for (const query of ['', '?country=DE']) {
        expectFailure(await client.ask(`/api/tcping/${hidden}:80${query}`, { key }), 200, 403);
      }
    },
  },
  {
    name: "tcping: a node always makes 4 attempts; source contains the node's registration",
    decisions: [34, 35],
    needs: 'key',
    run: async (context) => {
      const { code, name, country_code, city } = await someNode(context);
      const result = await probeOf(context, `${context.open}?node=${String(code)}&count=2&timeout=200`);
      expectConsistent(result, 4);
      const source = result['source'] as Data;
      const expected = { type: 'node', code, name, country_code, city };
      for (const [key, value] of Object.entries(expected)) {
        expect(source[key] === value, `source.${key} is ${String(source[key])}`);
      }
      expect(!('timeout_ms' in result), 'unexpected timeout_ms');
    },
  },
  {
    name: 'tcping: node takes precedence over country; a country without a node gets available_countries',
    decisions: [34],
    needs: 'key',
    run: async (context) => {
      const { code, country_code } = await someNode(context);
      const { source } = await probeOf(context, `${context.open}?node=${String(code)}&country=ZZ`);
      expect((source as Data)['code'] === code, 'country took precedence over node');
      const reply = await context.client.ask(`/api/tcping/${context.open}?country=ZZ`, { key: context.key });
      const countries = expectFailure(reply, 200, 404)['available_countries'] as unknown[];
      expect(
        countries.includes(country_code),
        `available_countries does not contain ${String(country_code)}`,
      );
      for (const one of countries)
        expect(/^[A-Z]{2}$/.test(String(one)), `invalid country code ${String(one)}`);
    },
  },
  {
    name: 'tcping: a probe from the origin has timeout_ms',
    decisions: [35],
    needs: 'key',
    run: async (context) => {
      const { source, timeout_ms } = await probeOf(context, `${context.open}?count=1&timeout=1`);
      expect((source as Data)['type'] === 'origin', 'source.type is not origin');
      expect(Object.keys(source as Data).length === 1, 'source has more keys than type');
      expect(timeout_ms === 100, `timeout_ms is ${String(timeout_ms)}`);
    },
  },
];

/** Checks that the summary matches the round trips. */
function expectConsistent({ rtts, sent, recv, loss, min, max, avg }: Data, count: number): void {
  const all = rtts as (number | null)[];
  const good = all.filter((rtt) => rtt !== null);
  expect(all.length === count && sent === count, `${all.length} attempts, expected ${count}`);
  expect(recv === good.length, `recv is ${String(recv)}`);
  const lost = (100 * (count - good.length)) / count;
  expect(Math.abs(Number(loss) - lost) < 0.01, `loss is ${String(loss)}, expected ${lost}`);
  for (const rtt of good)
    expect(Math.abs(rtt * 100 - Math.round(rtt * 100)) < 1e-6, `${rtt} has more than 2 decimals`);
  const mean = good.reduce((sum, rtt) => sum + rtt, 0) / good.length;
  expect(min === (good.length === 0 ? null : Math.min(...good)), `min is ${String(min)}`);
  expect(max === (good.length === 0 ? null : Math.max(...good)), `max is ${String(max)}`);
  const isMean = good.length === 0 ? avg === null : Math.abs(Number(avg) - mean) < 0.011;
  expect(isMean, `avg is ${String(avg)}, expected ${mean}`);
}
