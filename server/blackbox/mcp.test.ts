import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';
import { newCustomer } from './testing/callers.js';
import { WhoisServer } from '../whois/port43/testing/whois-server.js';

const ROOT = 'whois.test-root.example.com';
const port43 = await WhoisServer.start('127.0.0.1', 0, {
  com: `whois: ${ROOT}\r\n`,
  'example.com':
    'Domain Name: EXAMPLE.COM\r\nRegistrar: A Registrar\r\nCreation Date: 1999-01-02T03:04:05Z\r\n',
  '*': '% This query returned 0 objects.\r\n',
});
const dns = await DnsServer.start({
  [ROOT]: { addresses: ['127.0.0.1'] },
  'www.example.com': { addresses: [SMALL.google] },
});
t.teardown(() => Promise.all([dns.close(), port43.close()]));
const lines: string[] = [];
const server = await runServer(t, {
  log: pino({}, { write: (line) => void lines.push(line) }),
  dnsServers: [dns.address],
  upstreams: { whoisRoot: ROOT, whoisPort: port43.port, dohResolvers: [] },
  trustedProxies: ['127.0.0.1/32'],
});

let callers = 0;
/** Connects the client of the protocol's authors, each time from a new address. */
async function connect(key?: string): Promise<Client> {
  const headers: Record<string, string> = { 'X-Forwarded-For': `203.0.113.${++callers}` };
  if (key !== undefined) headers['Authorization'] = `Bearer ${key}`;
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  t.teardown(() => client.close());
  return client;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}
const use = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as unknown as Result;

t.test('the tools are listed with input and output schemas, and only read', async (t) => {
  const { tools } = await (await connect()).listTools();
  t.same(
    tools.map(({ name }) => name),
    ['lookup', 'sources', 'route_and_as', 'whois', 'dns', 'global_dns', 'tcping'],
  );
  for (const { annotations, inputSchema, outputSchema, description } of tools) {
    t.equal(annotations?.readOnlyHint, true);
    t.equal(inputSchema['type'], 'object');
    t.equal(outputSchema?.['type'], 'object');
    t.ok(description);
  }
});

t.test('lookup answers as the API, and a failed target does not affect the others', async (t) => {
  const client = await connect();
  const targets = [SMALL.google, 'not an address', 'www.example.com'];
  const { structuredContent, isError } = await use(client, 'lookup', { targets });
  t.notOk(isError);
  const [google, bad, host] = structuredContent['results'] as Record<string, unknown>[];
  const { body } = await server.get(`/api/ip/${SMALL.google}?lang=en`);
  t.same(google, { target: SMALL.google, record: (body as { data: unknown }).data });
  t.same(bad, { target: 'not an address', error: { code: 400, message: 'invalid IP or hostname' } });
  t.match(host, { target: 'www.example.com', record: { ip: SMALL.google } });
  const chosen = await use(client, 'lookup', { targets: [SMALL.google], fields: ['country_code', 'bgp.as'] });
  t.same(chosen.structuredContent['results'], [
    { target: SMALL.google, record: { country_code: 'US', bgp: { as: 15169 } } },
  ]);
});

t.test('each tool gives an answer that its output schema accepts', async (t) => {
  const client = await connect();
  const answer = async (name: string, args: Record<string, unknown>) =>
    (await use(client, name, args)).structuredContent;
  t.match(await answer('sources', { target: SMALL.google }), { ip: SMALL.google });
  t.match(await answer('route_and_as', { target: '8.8.8.0/24' }), {
    route: { prefix: '8.8.8.0/24', origin_as: 15169 },
    as: { asn: 15169 },
  });
  for (const target of ['AS15169', 'as 15169', '15169'])
    t.match(await answer('route_and_as', { target }), { as: { asn: 15169 } }, target);
  t.match(await answer('whois', { target: 'example.com' }), { registrar: 'A Registrar' });
  t.match(await answer('dns', { name: 'www.example.com', type: 'A' }), {
    records: [{ value: SMALL.google }],
  });
  t.match(await answer('dns', { name: 'www.example.com' }), { domain: 'www.example.com' });
  const { regions } = await answer('global_dns', {});
  t.equal((regions as unknown[]).length, 135);
  const [failed] = (await answer('global_dns', { name: 'www.example.com', regions: [1] }))[
    'answers'
  ] as unknown[];
  t.match(failed, { region: 1, answer: { error: String } }, 'no resolver is configured here');
});

t.test('calls cost what the API charges: credits and uses of the key', async (t) => {
  const customer = await newCustomer(server, 'pro');
  const client = await connect(customer.key);
  const before = await customer.credits();
  await use(client, 'lookup', { targets: [SMALL.google, SMALL.shanghai, 'not an address'] });
  await use(client, 'sources', { target: SMALL.google });
  t.equal(before - (await customer.credits()), 4, 'two records and the verdicts; an invalid target is free');
  t.equal(await customer.usedToday(), 3);
  await use(client, 'route_and_as', { target: 'AS15169' });
  t.equal(before - (await customer.credits()), 4);
  await customer.leaveCredits(1);
  const { structuredContent } = await use(client, 'lookup', { targets: [SMALL.google, SMALL.shanghai] });
  const results = structuredContent['results'] as { error?: { code: number } }[];
  t.equal(results.filter(({ error }) => error?.code === 402).length, 1);
  t.equal(await customer.credits(), 0);
});

t.test('the log names the tool, and the metrics count the endpoints that it has called', async (t) => {
  const client = await connect();
  const { registry } = server.running.metrics;
  const countOf = async (code: number): Promise<number> => {
    const text = await registry.getSingleMetricAsString('ipatlas_requests_total');
    const line = new RegExp(`route="/api/ip/{target}",status="200",code="${code}"} (\\d+)`).exec(text);
    return Number(line?.[1] ?? 0);
  };
  const before = [await countOf(0), await countOf(400)];
  lines.length = 0;
  await use(client, 'lookup', { targets: [SMALL.google, SMALL.shanghai, 'not an address'] });
  t.same([(await countOf(0)) - before[0]!, (await countOf(400)) - before[1]!], [2, 1]);
  await client.listTools();
  await t.rejects(client.callTool({ name: 'delete_everything', arguments: {} }));
  const logged = lines.map((line) => JSON.parse(line) as { route: string; tool?: string });
  t.ok(logged.length >= 3, 'each request has a line');
  t.ok(logged.every(({ route }) => route === '/mcp'));
  t.same(
    logged.flatMap(({ tool }) => tool ?? []),
    ['lookup'],
    'only tools that exist are named',
  );
});

t.test('refusals are errors of the tool that name the limit', async (t) => {
  const anonymous = await connect();
  t.match(await use(anonymous, 'tcping', { target: 'www.example.com:80' }), {
    isError: true,
    content: [{ text: 'error 401: API key required' }],
  });
  const many = Array.from({ length: 25 }, () => SMALL.google);
  await use(anonymous, 'lookup', { targets: many });
  const { structuredContent } = await use(anonymous, 'lookup', { targets: many });
  const errors = (structuredContent['results'] as { error?: { code: number } }[]).filter(
    ({ error }) => error,
  );
  t.ok(errors.length >= 20, 'the limit of callers without a key is 30 a minute');
  t.ok(errors.every(({ error }) => error?.code === 429));
  const wrong = await connect('not-a-key');
  t.match(await use(wrong, 'tcping', { target: 'www.example.com:80' }), {
    isError: true,
    content: [{ text: /^error 401: invalid API key/ }],
  });
});

t.test('arguments outside the schema are refused', async (t) => {
  const client = await connect();
  const tooMany = Array.from({ length: 26 }, () => SMALL.google);
  for (const args of [
    {},
    { targets: [] },
    { targets: tooMany },
    { targets: [1] },
    { targets: ['x'], lang: 'fr' },
  ]) {
    const result = await use(client, 'lookup', args).catch((error: unknown) => ({
      isError: error instanceof Error,
    }));
    t.equal(result.isError, true, JSON.stringify(args).slice(0, 40));
  }
  await t.rejects(client.callTool({ name: 'delete_everything', arguments: {} }));
});

t.test('other methods, garbage and large bodies are refused before the protocol reads them', async (t) => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Forwarded-For': `198.51.100.${++callers}`,
        ...headers,
      },
    });
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${server.url}/mcp`, { method });
    t.equal(response.status, 405, method);
    t.equal(response.headers.get('allow'), 'POST, OPTIONS');
  }
  t.equal((await post('{')).status, 400);
  t.equal((await post('[['.repeat(500) + ']]'.repeat(500))).status, 400);
  t.equal((await post(JSON.stringify({ text: 'x'.repeat(20_000) }))).status, 413);
  t.ok((await post('{"jsonrpc":"1.0"}')).status >= 400);
  const unknown = await post('{"jsonrpc":"2.0","id":1,"method":"nonsense"}');
  t.match(await unknown.text(), /"error":\{"code":-32601/);
  t.notOk(unknown.headers.get('access-control-allow-origin'));
});
