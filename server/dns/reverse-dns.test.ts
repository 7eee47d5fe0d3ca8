import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { UpstreamError } from '../upstream-error.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import type { DnsReply } from './dns-client.js';
import { ReverseDns } from './reverse-dns.js';
import { reverseNameOf } from './reverse-name.js';

const reserved = await readReservedSpace(REGISTRIES);

/** A scripted PTR reply for an address. */
type ScriptedReply = {
  readonly name?: string;
  readonly ttl?: number;
  /** The reply comes after this. */
  readonly after?: Promise<unknown>;
  readonly fails?: boolean;
};

/** Returns an uncached DNS client over a table. Addresses not in the table have no name. */
function ptrTable(said: Readonly<Record<string, ScriptedReply>>) {
  const asked: string[] = [];
  const byName = new Map(Object.entries(said).map(([ip, reply]) => [reverseNameOf(ip), reply]));
  const query = async (name: string, type: string): Promise<DnsReply> => {
    asked.push(`${type} ${name}`);
    const { name: value, ttl = 300, after, fails = false } = byName.get(name) ?? {};
    await after;
    if (fails) throw new UpstreamError('failed', 'SERVFAIL');
    const records = value === undefined ? [] : [{ type: 'PTR', name, ttl, value }];
    return {
      rcode: value === undefined ? 'NXDOMAIN' : 'NOERROR',
      records,
      negativeTtl: undefined,
      server: '',
    };
  };
  return { asked, dns: { query } };
}

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `8.8.4.${i}`);

t.test('decision 29: names and confirmed absence are resolved, keyed by the text as written', async (t) => {
  const { asked, dns } = ptrTable({
    '8.8.8.8': { name: 'dns.example.net' },
    '2001:4860::8': { name: 'six.example.net' },
  });
  const names = await new ReverseDns({ dns, reserved }).namesOf([
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '2001:4860:0:0::8',
    '2001:4860::8',
    '9.9.9.9',
    '8.8.8.8',
  ]);
  t.strictSame(names, {
    resolved: {
      '8.8.8.8': 'dns.example.net',
      '::ffff:8.8.8.8': 'dns.example.net',
      '2001:4860:0:0::8': 'six.example.net',
      '2001:4860::8': 'six.example.net',
      '9.9.9.9': '',
    },
    pending: [],
  });
  t.equal(asked.length, 3, 'one lookup per address');
});

t.test(
  'decision 29: private and invalid addresses are dropped before the limit of six applies',
  async (t) => {
    const { asked, dns } = ptrTable({ '8.8.8.8': { name: 'dns.example.net' } });
    const dropped = [
      '10.0.0.1',
      '127.0.0.1',
      '::1',
      'fe80::1',
      '64:ff9b::808:808',
      'junk',
      '',
      '1.2.3',
      '8.8.8.8:53',
      '::1%1',
    ];
    const names = await new ReverseDns({ dns, reserved }).namesOf([...dropped, '8.8.8.8']);
    t.strictSame(names, { resolved: { '8.8.8.8': 'dns.example.net' }, pending: [] });
    t.strictSame(asked, ['PTR 8.8.8.8.in-addr.arpa']);
  },
);

t.test(
  'decision 29: each call looks up six new addresses, so a list completes even with TTL 0',
  async (t) => {
    const list = addresses(20);
    const { asked, dns } = ptrTable(
      Object.fromEntries(list.map((ip) => [ip, { name: `n.example.net`, ttl: 0 }])),
    );
    const reverse = new ReverseDns({ dns, reserved });
    for (const left of [14, 8, 2, 0]) t.equal((await reverse.namesOf(list)).pending.length, left);
    t.equal(asked.length, 20);
  },
);

t.test('decision 29: addresses beyond the fortieth are pending', async (t) => {
  const list = addresses(45);
  const { dns } = ptrTable({});
  const reverse = new ReverseDns({ dns, reserved });
  for (let call = 0; call < 7; call++) await reverse.namesOf(list);
  t.strictSame((await reverse.namesOf(list)).pending, list.slice(40));
  t.strictSame(await reverse.namesOf([]), { resolved: {}, pending: [] });
});

t.test('decision 29: failures are pending and not cached', async (t) => {
  const { asked, dns } = ptrTable({ '8.8.8.8': { fails: true } });
  const reverse = new ReverseDns({ dns, reserved });
  t.strictSame(await reverse.namesOf(['8.8.8.8']), { resolved: {}, pending: ['8.8.8.8'] });
  await reverse.namesOf(['8.8.8.8']);
  t.equal(asked.length, 2);
});

t.test('decision 29: a lookup that outlives its call fills the cache and is not started again', async (t) => {
  const server = new EventEmitter();
  const { asked, dns } = ptrTable({ '8.8.8.8': { name: 'slow.example.net', after: once(server, 'reply') } });
  const reverse = new ReverseDns({ dns, reserved, waitMs: 20 });
  t.strictSame(await reverse.namesOf(['8.8.8.8']), { resolved: {}, pending: ['8.8.8.8'] });
  t.strictSame((await reverse.namesOf(['8.8.8.8'])).pending, ['8.8.8.8']);
  server.emit('reply');
  await nextTurn();
  t.strictSame(await reverse.namesOf(['8.8.8.8']), {
    resolved: { '8.8.8.8': 'slow.example.net' },
    pending: [],
  });
  t.equal(asked.length, 1);
});

t.test('six failing addresses do not block the others', async (t) => {
  const failing = addresses(6);
  const { dns } = ptrTable(Object.fromEntries(failing.map((ip) => [ip, { fails: true }])));
  const reverse = new ReverseDns({ dns, reserved });
  await reverse.namesOf([...failing, '9.9.9.9']);
  t.strictSame(await reverse.namesOf([...failing, '9.9.9.9']), {
    resolved: { '9.9.9.9': '' },
    pending: failing,
  });
});

t.test('decision 29: an address whose PTR is the root has no name', async (t) => {
  const { dns } = ptrTable({ '8.8.8.8': { name: '.' } });
  const names = await new ReverseDns({ dns, reserved }).namesOf(['8.8.8.8']);
  t.strictSame(names, { resolved: { '8.8.8.8': '' }, pending: [] });
});
