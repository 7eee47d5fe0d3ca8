import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { Subjects } from './check.js';
import { ENDPOINTS } from './endpoint-checks.js';
import { RULES } from './rule-checks.js';
import { runConformance } from './run-conformance.js';
import { mismatches } from './shape.js';

const SUBJECTS: Subjects = {
  key: 'key',
  enterpriseKey: 'enterprise',
  host: 'www.example.com',
  domain: 'example.com',
  open: 'www.example.com:443',
  failing: 'broken.example.com',
  hidden: 'hidden.example.com',
  refusedPort: '25',
  manyPorts: 'www.example.com',
  ip: '1.1.1.1',
  asn: 13_335,
  prefix: '1.1.1.0/24',
};

async function listening(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('there are 22 endpoints, and check names are unique', (t) => {
  t.equal(ENDPOINTS.length, 22);
  const names = [...ENDPOINTS, ...RULES].map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  t.end();
});

const BROKEN_SERVICES: Readonly<Record<string, RequestListener>> = {
  'answers code 0 without data': (_, res) => {
    res.setHeader('content-type', 'application/json').end('{"code":0,"data":{}}');
  },
  'answers with an array': (_, res) => {
    res.setHeader('content-type', 'application/json').end('[null]');
  },
  'is not an API': (_, res) => {
    res.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
  },
  'sends invalid JSON': (_, res) => {
    res.setHeader('content-type', 'application/json').end('{"code":');
  },
  disconnects: (_, res) => {
    res.destroy();
  },
};

for (const [what, listener] of Object.entries(BROKEN_SERVICES)) {
  t.test(`every check fails for a service that ${what}`, async (t) => {
    const lines: string[] = [];
    const result = await runConformance(await listening(t, listener), SUBJECTS, (line) => lines.push(line));
    const kept = lines.filter((line) => line.startsWith('ok'));
    t.same(kept, []);
    t.equal(result.failed.length, ENDPOINTS.length + RULES.length);
    t.equal(lines.at(-1), `0 passed, ${result.failed.length} failed, 0 skipped`);
  });
}

t.test('checks that need a key are skipped without one, with the reason', async (t) => {
  const { key, enterpriseKey, ...keyless } = SUBJECTS;
  const lines: string[] = [];
  const url = await listening(t, (_, res) => void res.end());
  const { skipped } = await runConformance(url, keyless, (line) => lines.push(line));
  const skips = lines.filter((line) => line.startsWith('skip'));
  t.ok(
    skips.length > 5 && skips.length === skipped,
    `${skips.length} skipped with ${key ?? 'no key'} and ${enterpriseKey ?? 'no enterprise key'}`,
  );
  t.ok(skips.every((line) => /needs a key/.test(line)));
});

t.test('compares a value with a shape key by key', (t) => {
  const shape = { a: 'integer', 'b?': 'string|null', c: [{ d: 'number' }] } as const;
  t.same(mismatches({ a: 1, c: [{ d: 1.5 }] }, shape), []);
  t.same(mismatches({ a: 1, b: null, c: [] }, shape), []);
  t.same(mismatches({ a: 1.5, b: 2, c: [{ d: '1' }], e: true }, shape), [
    'body.a: expected integer, found 1.5',
    'body.b: expected string|null, found 2',
    'body.c[0].d: expected number, found "1"',
    'body.e is not documented',
  ]);
  t.same(mismatches({ c: {} }, shape), ['body.a is missing', 'body.c: expected an array, found {}']);
  t.same(mismatches(undefined, shape), ['body: expected an object, found nothing']);
  t.same(mismatches('2026-11-21T00:00:00Z', 'date'), []);
  t.same(mismatches('21.11.2026', 'date').length, 1);
  t.end();
});
