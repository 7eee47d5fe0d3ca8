import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';
import { BEHIND_PROXY, from } from './testing/callers.js';

const logged: string[] = [];
const server = await runServer(t, {
  ...BEHIND_PROXY,
  log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
});

/** What clients of a revision add to their requests. */
interface Revision {
  readonly version: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}
const LEGACY: Revision = { version: '2025-06-18' };
const CURRENT: Revision = {
  version: '2026-07-28',
  meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const REVISIONS = [LEGACY, CURRENT];

interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
let callers = 0;
/** Sends a request, each time from another address. A request without an answer fails after 20 seconds. */
async function send({ version, meta }: Revision, { method, params }: Message) {
  const caller = ++callers;
  const name = params?.['name'];
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    signal: AbortSignal.timeout(20_000),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
      ...from(`198.18.${caller >> 8}.${caller & 255}`),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: caller, method },
      params: { ...params, ...(meta && { _meta: meta }) },
    }),
  });
  return { caller, response };
}

const LOOKUP = { name: 'lookup', arguments: { targets: [SMALL.google], fields: ['country_code'] } };

t.test('lists and results of tools are application/json in every revision of the protocol', async (t) => {
  for (const revision of REVISIONS) {
    for (const message of [{ method: 'tools/list' }, { method: 'tools/call', params: LOOKUP }]) {
      const { caller, response } = await send(revision, message);
      const name = `${message.method}, ${revision.version}`;
      t.equal(response.status, 200, name);
      t.equal(response.headers.get('content-type'), 'application/json', name);
      t.match(await response.json(), { jsonrpc: '2.0', id: caller, result: Object }, name);
    }
  }
});

t.test('a subscription is refused: the server has no events', async (t) => {
  for (const revision of REVISIONS) {
    for (const params of [{ notifications: { toolsListChanged: true } }, {}]) {
      const { caller, response } = await send(revision, { method: 'subscriptions/listen', params });
      t.equal(response.status, 404, revision.version);
      t.match(await response.json(), { id: caller, error: { code: -32601 } }, revision.version);
    }
  }
});

t.test('1,100 subscriptions leave nothing behind: the next client gets its answers', async (t) => {
  const params = { notifications: { toolsListChanged: true } };
  const codes = new Set<unknown>();
  for (let sent = 0; sent < 1100; sent += 50) {
    const answers = Array.from({ length: 50 }, () =>
      send(CURRENT, { method: 'subscriptions/listen', params }),
    );
    for (const { response } of await Promise.all(answers))
      codes.add(((await response.json()) as { error: { code: number } }).error.code);
  }
  t.same([...codes], [-32601]);
  const { response } = await send(CURRENT, { method: 'tools/list' });
  t.match(await response.json(), { result: { tools: Array } });
});

t.test(
  'a request without an answer ends with its client: the calls of a batch may be cancelled',
  async (t) => {
    const leaving = new AbortController();
    const client = '203.0.113.77';
    const ends = () => logged.filter((line) => line.includes(client));
    const asked = fetch(`${server.url}/mcp`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...from(client),
      },
      body: JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: LOOKUP },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ]),
    });
    await Promise.race([asked, delay(300)]);
    t.same(ends(), [], 'it is not answered');
    leaving.abort();
    await t.rejects(asked);
    for (let waitedMs = 0; ends().length === 0 && waitedMs < 5000; waitedMs += 20) await delay(20);
    t.equal(ends().length, 1, 'the log has it as soon as the client has left');
  },
);
