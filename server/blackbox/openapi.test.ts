import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { answerChecker } from '../testing/checked-answer.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const server = await runServer(t);
const text = (await server.get('/openapi.json')).text;
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const document = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };

t.test('the document is valid and lists every endpoint with its method', async (t) => {
  const { valid, errors } = await new Validator().validate(document);
  t.ok(valid, JSON.stringify(errors));
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  for (const operation of [
    ...['get /api/ip', 'get /json', 'get /ip', 'get /', 'get /api/ip/{target}'],
    ...['get /api/ip/{target}/sources', 'post /api/ip/batch', 'get /api/as-profile/{asn}'],
    ...['get /api/as-topo/{asn}', 'get /api/prefix-upstreams', 'get /api/peering-index/search'],
    ...['get /api/user/me', 'get /api/user/usage', 'get /api/datasets/{dataset}/info'],
    ...['get /api/datasets/{dataset}', 'get /healthz', 'get /readyz', 'get /openapi.json'],
  ])
    t.ok(listed.includes(operation), operation);
});

t.test('mandatory parameters are marked as required', (t) => {
  const required = (path: string) =>
    document.paths[path]!['get']!.parameters?.filter((one) => one.required).map(({ name }) => name);
  t.strictSame(required('/api/prefix-upstreams'), ['prefix']);
  t.strictSame(required('/api/peering-index/search'), ['q']);
  t.strictSame(required('/api/ip/{target}'), ['target']);
  t.strictSame(required('/api/datasets/{dataset}'), ['dataset']);
  t.strictSame(required('/json'), []);
  t.end();
});

t.test('the pages report health and readiness', async (t) => {
  t.strictSame((await server.get('/healthz')).body, { status: 'ok' });
  const ready = (await server.get('/readyz')).body;
  t.match(ready, { status: 'ready', release: /^20261121T000000Z-/, refused: null, redis: 'up' });
});

/** Answers that violate the document. */
interface Lie {
  readonly path: string;
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const HEADERS = {
  ...{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1' },
  ...{ 'X-Request-Id': 'a', 'Content-Type': 'application/json' },
};

/** Serves the real document and one invalid answer. */
async function checkLie(lie: Lie): Promise<unknown> {
  const liar = createServer((req, res) => {
    if (req.url === '/openapi.json') return res.end(text);
    res.writeHead(lie.status ?? 200, lie.headers ?? HEADERS);
    return res.end(JSON.stringify(lie.body));
  });
  await once(liar.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
  try {
    const check = await answerChecker(url);
    return await check(await fetch(url + lie.path), { path: lie.path, method: 'GET' });
  } finally {
    liar.closeAllConnections();
    liar.close();
  }
}

t.test('an answer that violates its schema makes a test fail', async (t) => {
  const { data } = (await server.get(`/api/ip/${SMALL.google}`)).body as { data: Record<string, unknown> };
  const path = '/api/ip/8.8.8.8';
  const { asn, ...incomplete } = data;
  const lies: readonly (readonly [string, Lie])[] = [
    ['a field of another type', { path, body: { code: 0, data: { ...data, asn: String(asn) } } }],
    ['a field too few', { path, body: { code: 0, data: incomplete } }],
    ['a field too many', { path, body: { code: 0, data: { ...data, extra: 1 } } }],
    ['null for text', { path, body: { code: 0, data: { ...data, city: null } } }],
    ['text for a missing number', { path, body: { code: 0, data: { ...data, latitude: '' } } }],
    ['no envelope', { path, body: data }],
    ['an undocumented code', { path, body: { code: 1, msg: 'no' } }],
    ['a failure without a message', { path, body: { code: 400 } }],
    ['a failure with another status than it says', { path, status: 429, body: { code: 400, msg: 'no' } }],
    ['402 without the credits', { path, status: 402, body: { code: 402, msg: 'no' } }],
    ['a status that is not in the document', { path, status: 418, body: { code: 418, msg: 'no' } }],
    ['the envelope around what has none', { path: '/json', body: { code: 0, data: {} } }],
    ['JSON for text', { path: '/ip', body: '8.8.8.8' }],
    [
      'an object in place of a list',
      { path: '/api/as-topo/1', body: { code: 0, data: { asn: 1, upstreams: {} } } },
    ],
    ['no window', { path, body: { code: 0, data }, headers: { 'Content-Type': 'application/json' } }],
  ];
  for (const [title, lie] of lies) await t.rejects(checkLie(lie), { name: 'AssertionError' }, title);
  t.match(await checkLie({ path, body: { code: 0, data } }), { status: 200 }, 'the truth is let through');
});
