import t from 'tap';
import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { hostsOf, parseBatch, resolveHosts } from './batch.js';

const NAMES = Array.from({ length: 40 }, (_, i) => `host${i}.example.com`);

t.test('R21: no more names than allowed are asked for at the same time, and all of them are', async (t) => {
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

t.test('when the time is over no further name is asked for', async (t) => {
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
  'R11, R21: no answer of a server is an entry without an address; a fault of ours is a fault',
  async (t) => {
    const silent: HostResolver = { resolve: () => Promise.reject(new Failure(502, 'silence')) };
    t.equal((await resolveHosts(NAMES, silent)).size, 0);
    const broken: HostResolver = { resolve: () => Promise.reject(new TypeError('ours')) };
    await t.rejects(resolveHosts(NAMES, broken), TypeError);
  },
);

t.test('spellings of one name are one name', (t) => {
  t.same(hostsOf(parseBatch(['a.example.com', 'A.EXAMPLE.com.', '9.9.9.9', 7, 'b.example.com'], 5)), [
    'a.example.com',
    'b.example.com',
  ]);
  t.end();
});
