import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { Subjects } from './check.js';
import { ENDPOINTS } from './endpoint-checks.js';
import { RULES } from './rule-checks.js';
import { runConformance } from './run-conformance.js';
import { misfits } from './shape.js';

const SUBJECTS: Subjects = {
  ...{ key: 'key', enterpriseKey: 'enterprise', host: 'www.example.com', domain: 'example.com' },
  ...{ open: 'www.example.com:443', failing: 'broken.example.com', hidden: 'hidden.example.com' },
  ...{ ip: '1.1.1.1', asn: 13_335, prefix: '1.1.1.0/24' },
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

t.test('there are 22 endpoints, and every check has a name of its own', (t) => {
  t.equal(ENDPOINTS.length, 22);
  const names = [...ENDPOINTS, ...RULES].map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  t.end();
});

const LIARS: Readonly<Record<string, RequestListener>> = {
  'says code 0 and nothing': (_, res) => {
    res.setHeader('content-type', 'application/json').end('{"code":0,"data":{}}');
  },
  'answers with a list': (_, res) => {
    res.setHeader('content-type', 'application/json').end('[null]');
  },
  'is no API': (_, res) => {
    res.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
  },
  'sends no JSON under that name': (_, res) => {
    res.setHeader('content-type', 'application/json').end('{"code":');
  },
  'hangs up': (_, res) => {
    res.destroy();
  },
};

for (const [what, listener] of Object.entries(LIARS)) {
  t.test(`no check lets a service through that ${what}`, async (t) => {
    const lines: string[] = [];
    const result = await runConformance(await listening(t, listener), SUBJECTS, (line) => lines.push(line));
    const kept = lines.filter((line) => line.startsWith('ok'));
    t.same(kept, []);
    t.equal(result.failed.length, ENDPOINTS.length + RULES.length);
    t.equal(lines.at(-1), `0 passed, ${result.failed.length} failed, 0 skipped`);
  });
}

t.test('what needs a key is skipped without one, and says so', async (t) => {
  const { key, enterpriseKey, ...keyless } = SUBJECTS;
  const lines: string[] = [];
  const url = await listening(t, (_, res) => void res.end());
  const { skipped } = await runConformance(url, keyless, (line) => lines.push(line));
  const skips = lines.filter((line) => line.startsWith('skip'));
  t.ok(
    skips.length > 5 && skips.length === skipped,
    `${skips.length} of them, ${key ?? ''}${enterpriseKey ?? ''}`,
  );
  t.ok(skips.every((line) => /needs a key/.test(line)));
});

t.test('a value is held against a shape key by key', (t) => {
  const shape = { a: 'integer', 'b?': 'string|null', c: [{ d: 'number' }] } as const;
  t.same(misfits({ a: 1, c: [{ d: 1.5 }] }, shape), []);
  t.same(misfits({ a: 1, b: null, c: [] }, shape), []);
  t.same(misfits({ a: 1.5, b: 2, c: [{ d: '1' }], e: true }, shape), [
    'body.a: 1.5 is no integer',
    'body.b: 2 is no string|null',
    'body.c[0].d: "1" is no number',
    'body.e is not documented',
  ]);
  t.same(misfits({ c: {} }, shape), ['body.a is missing', 'body.c: {} is no list']);
  t.same(misfits(undefined, shape), ['body: nothing is no object']);
  t.same(misfits('2026-11-21T00:00:00Z', 'date'), []);
  t.same(misfits('21.11.2026', 'date').length, 1);
  t.end();
});
