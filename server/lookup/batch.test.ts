import t from 'tap';
import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { hostsOf, parseBatch } from './batch.js';
import { resolveHosts } from './resolve-batch.js';

const NAMES = Array.from({ length: 40 }, (_, i) => `host${i}.example.com`);

t.test('decision 21: all names are resolved, a limited number at the same time', async (t) => {
  let running = 0;
  let most = 0;
  const resolver: HostResolver = {
    resolve: async (name) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return `9.9.9.${name.slice(4, name.indexOf('.'))}`;
    },
  };
  const found = await resolveHosts(NAMES, resolver, { atOnce: 7, budgetMs: 60_000 });
  t.equal(most, 7);
  t.same([...found.keys()].sort(), [...NAMES].sort());
  t.equal(found.get('host39.example.com')?.ip, '9.9.9.39');
});

t.test('after the time limit no further name is resolved', async (t) => {
  const asked: string[] = [];
  const resolver: HostResolver = {
    resolve: (name) => {
      asked.push(name);
      return Promise.resolve('9.9.9.9');
    },
  };
  const found = await resolveHosts(NAMES, resolver, { atOnce: 4, budgetMs: -1 });
  t.same([asked.length, found.size], [0, 0]);
});

t.test(
  'decisions 11 and 21: a name server failure gives an entry without an address; an internal error is thrown',
  async (t) => {
    const silent: HostResolver = { resolve: () => Promise.reject(new Failure(502, 'silence')) };
    t.equal((await resolveHosts(NAMES, silent)).size, 0);
    const broken: HostResolver = { resolve: () => Promise.reject(new TypeError('ours')) };
    await t.rejects(resolveHosts(NAMES, broken), TypeError);
  },
);

t.test('different spellings of a name are resolved once', (t) => {
  t.same(hostsOf(parseBatch(['a.example.com', 'A.EXAMPLE.com.', '9.9.9.9', 7, 'b.example.com'], 5)), [
    'a.example.com',
    'b.example.com',
  ]);
  t.end();
});
