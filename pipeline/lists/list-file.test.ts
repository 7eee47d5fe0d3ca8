import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import type { ListTable } from './collect-list.js';
import type { ListClaim } from './list-claim.js';
import { readList, writeList } from './list-file.js';
import { addressOf, collectRows } from './testing/row-list.js';

const CLAIMS: readonly ListClaim[] = [
  {
    type: 'VPN',
    evidence: 'commercial',
    provider: 'Mullvad',
    usageType: 'ISP/MOB',
    isp: '中国电信, "Ltd"',
    domain: 'example.net',
    threats: ['SPAM', 'SCANNER'],
    fraudScore: 99,
    lastSeen: 20_687,
    cloud: 'Amazon AWS',
    service: 'EC2',
    region: 'eu-west-1',
    isHosting: true,
    isEdge: true,
    carrier: 'telecom',
    allow: ['*', 'tor'],
    isOwn: true,
  },
  {},
  { fraudScore: 0, lastSeen: 0 },
  { isHosting: false },
  { threats: [] },
  { type: '' },
];

function listOf(claims: readonly ListClaim[]): ListTable {
  return collectRows((sink) => {
    claims.forEach((claim, i) => {
      sink.prefix(0, parsePrefix(`5.9.${i}.0/24`)!, sink.intern(claim), i);
      sink.prefix(0, parsePrefix(`2a01:4f8:${i}::/48`)!, sink.intern(claim), i);
      sink.asn(64_496 - i, claim, i);
    });
  });
}

function claimAt({ table, claims }: ListTable, address: string): ListClaim | undefined {
  const match = table.lookup(addressOf(address));
  return match && claims[match.recordId];
}

t.test('every field, network and autonomous system is read back as written', (t) => {
  const dir = t.testdir({});
  const made = listOf(CLAIMS);
  writeList(dir, 'rows', made);
  const read = readList(dir);
  CLAIMS.forEach((claim, i) => {
    t.same(claimAt(made, `5.9.${i}.1`), claim);
    t.strictSame(claimAt(read, `5.9.${i}.1`), claim);
    t.strictSame(claimAt(read, `2a01:4f8:${i}::1`), claim);
  });
  t.equal(claimAt(read, '5.9.200.1'), undefined);
  t.equal(read.table.networkCount(), made.table.networkCount());
  t.strictSame(
    [...read.asns],
    [...made.asns].sort(([a], [b]) => a - b),
  );
  t.end();
});

t.test('an empty list is written and read back', (t) => {
  const dir = t.testdir({});
  writeList(dir, 'rows', listOf([]));
  const { table, claims, asns } = readList(dir);
  t.equal(table.networkCount(), 0);
  t.same([claims, asns.size], [[], 0]);
  t.end();
});

t.test('equal lists give equal files for any order of autonomous systems', (t) => {
  const root = t.testdir({ a: {}, b: {} });
  const list = listOf(CLAIMS);
  writeList(join(root, 'a'), 'rows', list);
  writeList(join(root, 'b'), 'rows', { ...list, asns: new Map([...list.asns].reverse()) });
  for (const name of readdirSync(join(root, 'a'))) {
    t.ok(readFileSync(join(root, 'a', name)).equals(readFileSync(join(root, 'b', name))), name);
  }
  t.end();
});

t.test('damaged files are refused, never read as a shorter list', (t) => {
  const root = t.testdir({});
  const names = ['table.mmdb', 'asns.columns'];
  for (const name of names) {
    writeList(root, 'rows', listOf(CLAIMS));
    const whole = readFileSync(join(root, name));
    for (let end = 0; end < whole.length; end += 41) {
      truncateSync(join(root, name), end);
      t.throws(() => readList(root), `${name} cut at ${end}`);
      writeFileSync(join(root, name), whole);
    }
    t.doesNotThrow(() => readList(root));
  }
  t.end();
});

t.test('a table with other records is refused', (t) => {
  const dir = t.testdir({});
  const odd = { ...listOf([{ type: 'VPN' }]), claims: [{ type: 'VPN', evidence: 'rumour' }] };
  writeList(dir, 'rows', odd as unknown as ListTable);
  t.throws(() => readList(dir), { name: 'ZodError' });
  t.end();
});
