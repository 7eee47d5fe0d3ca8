import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { releaseDir } from '../../pipeline/release/release-store.js';
import { newNights } from '../testing/nights.js';
import { runServer } from '../testing/running-server.js';
import { newCustomer } from './testing/callers.js';

/** Three real builds: the second has a statement more, the third lacks a feed. */
const nights = newNights(t);
const first = await nights.publish('2026-11-19');
const second = await nights.publish('2026-11-20', '9.9.9.0/24,FR,,,,,Quad9,,\n');
const early = await runServer(t, { outputDir: nights.outputDir, withRelease: false });
const before = await early.get('/api/ip/9.9.9.9?lang=en');
const third = await nights.publish('2026-11-21', '9.9.8.0/24,DE,,,,,Quad9,,\n');
const server = await early.another();

interface Then {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> & { readonly history: Readonly<Record<string, unknown>> };
}
const ask = async (query: string): Promise<Then> =>
  (await server.get(`/api/ip/9.9.9.9?${query}`)).body as Then;

t.test('decision 82: a date answers with the record of the release of then', async (t) => {
  const { history, ...record } = (await ask('lang=en&at=2026-11-20')).data;
  t.same({ code: 0, data: record }, before.body, 'the record is the answer of that time');
  t.same(history, {
    release: second.id,
    built: '2026-11-20T00:00:00.000Z',
    current: third.id,
    changed: [],
    sources: [],
  });
});

t.test('the databases whose verdicts have changed since are named, with both verdicts', async (t) => {
  const { data } = await ask('lang=en&at=2026-11-19T12:00:00Z');
  const { data: now } = await ask('lang=en');
  t.notOk(now.history);
  t.equal(now['country_code'], 'FR');
  t.not(data['country_code'], 'FR');
  t.match(data.history, { release: first.id, current: third.id });
  t.ok((data.history['changed'] as string[]).includes('country_code'));
  const [own, ...others] = data.history['sources'] as { source: string; now: unknown }[];
  t.match(own, { source: 'own', now: { source: 'own', country: 'France', isp: 'Quad9' } });
  t.same(others, []);
});

t.test('`fields` chooses of the record, and reserved addresses have nothing then', async (t) => {
  const chosen = await fetch(`${server.url}/api/ip/9.9.9.9?fields=country_code&at=2026-11-19`);
  t.same(Object.keys(((await chosen.json()) as Then).data), ['country_code', 'history']);
  const { body } = await server.get('/api/ip/10.0.0.1?at=2026-11-19');
  t.match(body, { code: 0, data: { is_reserved: true, history: { release: first.id, sources: [] } } });
});

t.test('a time before the first kept release, of the future or of another form is an error', async (t) => {
  t.match(await ask('at=2026-11-18'), {
    code: 404,
    msg: 'no release is kept from before 2026-11-19T00:00:00Z',
    oldest: '2026-11-19T00:00:00Z',
  });
  t.match(await ask('at=9999-01-01'), { code: 400, msg: 'invalid at: the time is in the future' });
  for (const at of ['', 'yesterday', '2026-02-30', '../../etc'])
    t.match(await ask(`at=${encodeURIComponent(at)}`), {
      code: 400,
      msg: /^invalid at: expected YYYY-MM-DD or/,
    });
});

t.test('many lookups at once in several releases are answered, without a new thread each', async (t) => {
  const dates = Array.from({ length: 60 }, (_, i) => ['2026-11-19', '2026-11-20', '2026-11-21'][i % 3]!);
  const key = { Authorization: `Bearer ${await server.key('enterprise')}` };
  const answers = await Promise.all(
    dates.map(async (date) => {
      const { body } = await server.get(`/api/ip/9.9.9.9?at=${date}`, key);
      return (body as Then).data.history['release'];
    }),
  );
  const ids = [first.id, second.id, third.id];
  t.same(
    answers,
    dates.map((_, i) => ids[i % 3]),
  );
});

t.test('a call costs 3 credits, and an error is refunded', async (t) => {
  const customer = await newCustomer(server, 'pro');
  const start = await customer.credits();
  for (const [query, paid] of [
    ['at=2026-11-20', 3],
    ['at=2026-11-18', 3],
    ['', 4],
  ] as const) {
    await server.get(`/api/ip/9.9.9.9?${query}`, customer.headers);
    t.equal(await customer.credits(), start - paid, query);
  }
});

t.test('a damaged or removed release is an error of that call only', async (t) => {
  const another = await server.another();
  writeFileSync(join(releaseDir(nights.outputDir, first.id), 'geo.mmdb'), 'damaged');
  t.match((await another.get('/api/ip/9.9.9.9?at=2026-11-19')).status, 500);
  t.match((await another.get('/api/ip/9.9.9.9?at=2026-11-20')).body, { code: 0 });
  rmSync(releaseDir(nights.outputDir, first.id), { recursive: true });
  t.match((await another.get('/api/ip/9.9.9.9?at=2026-11-19')).body, {
    code: 404,
    oldest: '2026-11-20T00:00:00Z',
  });
});
