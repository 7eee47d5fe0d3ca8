import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { UpstreamError } from '../upstream-error.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import type { DnsReply } from './dns-client.js';
import { ReverseDns } from './reverse-dns.js';
import { reverseNameOf } from './reverse-name.js';

const reserved = await readReservedSpace(REGISTRIES);

/** What a name server says of an address. */
type Said = {
  readonly name?: string;
  readonly ttl?: number;
  readonly afterMs?: number;
  readonly fails?: boolean;
};

/** The contract of DnsClient over a table, without its cache: addresses that it does not list have no name. */
function ptrTable(said: Readonly<Record<string, Said>>) {
  const asked: string[] = [];
  const byName = new Map(Object.entries(said).map(([ip, reply]) => [reverseNameOf(ip), reply]));
  const query = async (name: string, type: string): Promise<DnsReply> => {
    asked.push(`${type} ${name}`);
    const { name: value, ttl = 300, afterMs = 0, fails = false } = byName.get(name) ?? {};
    if (afterMs > 0) await pause(afterMs);
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

t.test('R29: names and confirmed absence are resolved, with keys as they were written', async (t) => {
  const { asked, dns } = ptrTable({
    '8.8.8.8': { name: 'dns.example.net' },
    '2001:4860::8': { name: 'six.example.net' },
  });
  const names = await new ReverseDns({ dns, reserved }).namesOf([
    ...['8.8.8.8', '::ffff:8.8.8.8', '2001:4860:0:0::8', '2001:4860::8', '9.9.9.9', '8.8.8.8'],
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
  t.equal(asked.length, 3, 'one lookup for an address');
});

t.test('R29: what is private or no address is dropped before six are counted', async (t) => {
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
});

t.test(
  'R29: six new ones are looked for in a call, so that a list comes to its end even without TTLs',
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

t.test('R29: what is behind the fortieth is pending', async (t) => {
  const list = addresses(45);
  const { dns } = ptrTable({});
  const reverse = new ReverseDns({ dns, reserved });
  for (let call = 0; call < 7; call++) await reverse.namesOf(list);
  t.strictSame((await reverse.namesOf(list)).pending, list.slice(40));
  t.strictSame(await reverse.namesOf([]), { resolved: {}, pending: [] });
});

t.test('R29: failures are pending, and not kept', async (t) => {
  const { asked, dns } = ptrTable({ '8.8.8.8': { fails: true } });
  const reverse = new ReverseDns({ dns, reserved });
  t.strictSame(await reverse.namesOf(['8.8.8.8']), { resolved: {}, pending: ['8.8.8.8'] });
  await reverse.namesOf(['8.8.8.8']);
  t.equal(asked.length, 2);
});

t.test(
  'R29: a lookup that outlives its call fills the cache, and is not begun again meanwhile',
  async (t) => {
    const { asked, dns } = ptrTable({ '8.8.8.8': { name: 'slow.example.net', afterMs: 400 } });
    const reverse = new ReverseDns({ dns, reserved, waitMs: 50 });
    t.strictSame(await reverse.namesOf(['8.8.8.8']), { resolved: {}, pending: ['8.8.8.8'] });
    t.strictSame((await reverse.namesOf(['8.8.8.8'])).pending, ['8.8.8.8']);
    await pause(600);
    t.strictSame(await reverse.namesOf(['8.8.8.8']), {
      resolved: { '8.8.8.8': 'slow.example.net' },
      pending: [],
    });
    t.equal(asked.length, 1);
  },
);

t.test('six that fail do not keep the others waiting', async (t) => {
  const failing = addresses(6);
  const { dns } = ptrTable(Object.fromEntries(failing.map((ip) => [ip, { fails: true }])));
  const reverse = new ReverseDns({ dns, reserved });
  await reverse.namesOf([...failing, '9.9.9.9']);
  t.strictSame(await reverse.namesOf([...failing, '9.9.9.9']), {
    ...{ resolved: { '9.9.9.9': '' }, pending: failing },
  });
});

t.test('R29: who points to the root has no name', async (t) => {
  const { dns } = ptrTable({ '8.8.8.8': { name: '.' } });
  const names = await new ReverseDns({ dns, reserved }).namesOf(['8.8.8.8']);
  t.strictSame(names, { resolved: { '8.8.8.8': '' }, pending: [] });
});
