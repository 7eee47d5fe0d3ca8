import t, { type Test } from 'tap';
import { loadPeeringDb, PEERINGDB } from './peeringdb.js';
import type { PeeringDb } from './registries.js';
import { cutsThatPass, refusalsOf, tryContents } from './testing/source-trial.js';

const NET = {
  id: 1,
  asn: 4436,
  name: 'GTT',
  aka: 'nLayer',
  info_type: 'NSP',
  website: 'http://gtt.example',
  status: 'ok',
};
const FAC = { id: 1, name: 'Equinix DC1', city: 'Ashburn', country: 'US', status: 'ok' };
const IX = { id: 12, name: 'Equinix New York', city: 'New York, Secaucus', country: 'US', status: 'ok' };
const LAN = { id: 12, ix_id: 12, rs_asn: 0, status: 'ok' };
const PREFIX = { id: 1, ixlan_id: 12, protocol: 'IPv4', prefix: '198.32.118.0/24', status: 'ok' };
const PORT = {
  id: 13,
  net_id: 1,
  ix_id: 12,
  ixlan_id: 12,
  asn: 4436,
  speed: 100_000,
  operational: true,
  status: 'ok',
};

const list = (...objects: readonly unknown[]): string => JSON.stringify({ data: objects, meta: {} });
const WHOLE = {
  'net-0.json': list(NET),
  'fac-0.json': list(FAC),
  'ix-0.json': list(IX),
  'ixlan-0.json': list(LAN),
  'ixpfx-0.json': list(PREFIX),
  'netixlan-0.json': list(PORT),
};
const EXPECTED: PeeringDb = {
  networks: [{ asn: 4436, name: 'GTT', aka: 'nLayer', infoType: 'NSP', website: 'http://gtt.example' }],
  facilities: [{ id: 1, name: 'Equinix DC1', city: 'Ashburn', country: 'US' }],
  exchanges: [{ id: 12, name: 'Equinix New York', city: 'New York, Secaucus', country: 'US' }],
  exchangePrefixes: [{ exchange: 12, prefix: '198.32.118.0/24' }],
  connections: [{ asn: 4436, exchange: 12, speed: 100_000 }],
  routeServers: [],
};
const DUMP = 'peeringdb_2_dump_2026_11_20.json';
const PERSON = { id: 1, name: 'A Person', email: 'person@example.net', status: 'ok' };
const dump = (): string =>
  JSON.stringify({
    poc: { data: [PERSON] },
    net: { data: [NET] },
    fac: { data: [FAC] },
    ix: { data: [IX] },
    ixlan: { data: [LAN] },
    ixpfx: { data: [PREFIX] },
    netixlan: { data: [PORT] },
    org: { data: [{ id: 2, status: 'ok' }] },
  });

async function load(t: Test, contents: Readonly<Record<string, string>>): Promise<PeeringDb> {
  return loadPeeringDb((await tryContents(t, PEERINGDB, contents)).dir);
}

t.test('files per kind, with and without -0, and the dump of all kinds give the same result', async (t) => {
  const plain = Object.fromEntries(
    Object.entries(WHOLE).map(([name, content]) => [name.replace('-0', ''), content]),
  );
  t.same(await load(t, WHOLE), EXPECTED);
  t.same(await load(t, plain), EXPECTED);
  t.same(await load(t, { [DUMP]: dump() }), EXPECTED);
  t.same(await load(t, { [DUMP]: `\u{feff}${dump()}` }), EXPECTED);
});

t.test('persons are not read and not kept in the excerpt of a bad object', async (t) => {
  const bad = { ...IX, id: 'x', tech_email: PERSON.email };
  const trial = await tryContents(t, PEERINGDB, { [DUMP]: dump(), 'ix-0.json': list(IX, bad) });
  t.equal(trial.tally(DUMP).rows, 5, 'every kind except exchanges, once');
  const output = JSON.stringify([trial.tally('ix-0.json'), trial.tally(DUMP), loadPeeringDb(trial.dir)]);
  t.notMatch(output, /person/i);
  t.match(trial.tally('ix-0.json').rejections.json?.examples, [{ position: 2, excerpt: /Equinix New York/ }]);
});

t.test('each kind is read from one file: -0 before the plain name before the dump', async (t) => {
  const trial = await tryContents(t, PEERINGDB, {
    ...WHOLE,
    'net.json': list({ ...NET, name: 'older' }, { ...NET, id: 2, asn: 1 }),
    [DUMP]: dump(),
  });
  t.same(loadPeeringDb(trial.dir), EXPECTED);
  t.equal(trial.tally('net.json').rows + trial.tally(DUMP).rows, 0);
  t.equal(trial.log.length, 2, 'unread files are logged');
});

t.test('nulls and empty strings are absent, unknown codes are not countries', async (t) => {
  const db = await load(t, {
    'net-0.json': list({ id: 3, asn: 7, name: ' Seven ', aka: '', info_type: null, status: 'ok' }),
    'fac-0.json': list(
      { ...FAC, city: '', country: '' },
      { ...FAC, id: 2, country: 'UK', city: null },
      { ...FAC, id: 3, country: 'XX' },
    ),
    'ix-0.json': list({ ...IX, country: 'EU' }),
  });
  t.same(db.networks, [{ asn: 7, name: 'Seven' }]);
  t.same(db.facilities, [
    { id: 1, name: 'Equinix DC1' },
    { id: 2, name: 'Equinix DC1', country: 'GB' },
    { id: 3, name: 'Equinix DC1', city: 'Ashburn' },
  ]);
  t.same(db.exchanges, [{ id: 12, name: 'Equinix New York', city: 'New York, Secaucus' }]);
});

t.test('objects that are not approved or not operational are skipped and counted', async (t) => {
  const trial = await tryContents(t, PEERINGDB, {
    ...WHOLE,
    'net-0.json': list(NET, { id: 2, status: 'deleted' }, { ...NET, id: 3, asn: 3, status: 'pending' }),
    'netixlan-0.json': list(PORT, { ...PORT, id: 14, operational: false }),
  });
  t.same(loadPeeringDb(trial.dir), EXPECTED);
  t.same(trial.tally('net-0.json').notes, { skipped: 2 });
  t.equal(trial.tally('net-0.json').accepted, 3);
  t.same(trial.tally('netixlan-0.json').notes, { skipped: 1 });
});

t.test('children of deleted or missing parents are dropped and noted', async (t) => {
  const trial = await tryContents(t, PEERINGDB, {
    ...WHOLE,
    'ix-0.json': list(IX, { ...IX, id: 20, status: 'deleted' }),
    'ixlan-0.json': list(LAN, { ...LAN, id: 20, ix_id: 20, rs_asn: 6695 }),
    'ixpfx-0.json': list(PREFIX, { ...PREFIX, id: 2, ixlan_id: 20 }, { ...PREFIX, id: 3, ixlan_id: 99 }),
    'netixlan-0.json': list(PORT, { ...PORT, id: 14, ix_id: 20 }, { ...PORT, id: 15, net_id: 9 }),
  });
  t.same(loadPeeringDb(trial.dir), EXPECTED);
  t.same(trial.tally('ixlan-0.json').notes, { unresolved: 1 });
  t.same(trial.tally('ixpfx-0.json').notes, { unresolved: 2 });
  t.same(trial.tally('netixlan-0.json').notes, { unresolved: 2 });
});

t.test('a table of types adds networks without an object', async (t) => {
  const table = [
    'asn,network_type,network_name',
    '4436,Content,Another name',
    '3303,Cable/DSL/ISP,Swisscom',
    '6777,Route Server,"AMS-IX, ""RS"""',
    'AS7,,Seven',
    '3303,NSP,Repeated',
    '0,NSP,Zero',
    '8,NSP, ',
    '9,NSP',
    '"x,NSP,Stray',
    '',
  ].join('\n');
  const trial = await tryContents(t, PEERINGDB, { ...WHOLE, 'asn-types.csv': table });
  t.same(loadPeeringDb(trial.dir), {
    ...EXPECTED,
    networks: [
      ...EXPECTED.networks,
      { asn: 3303, name: 'Swisscom', infoType: 'Cable/DSL/ISP' },
      { asn: 6777, name: 'AMS-IX, "RS"', infoType: 'Route Server' },
      { asn: 7, name: 'Seven' },
    ],
    routeServers: [6777],
  });
  const { rows, accepted, notes, rejections } = trial.tally('asn-types.csv');
  t.same({ rows, accepted, notes }, { rows: 9, accepted: 5, notes: { duplicate: 1 } });
  t.match(rejections, {
    asn: { count: 1, examples: [{ position: 7, excerpt: '0,NSP,Zero' }] },
    'text-length': { count: 1, examples: [{ position: 8 }] },
    columns: { count: 1, examples: [{ position: 9 }] },
    quoting: { count: 1, examples: [{ position: 10 }] },
  });
  const alone = await load(t, { 'asn-types.csv': table });
  t.equal(alone.networks.length, 4);
});

t.test('a table of types with other columns, without rows or with a cut line is refused', async (t) => {
  const tables = [
    ['asn,type,name\n1,NSP,One\n', 'header'],
    ['asn,network_type,network_name\n', 'header'],
    ['asn,network_type,network_name\n1,NSP,One', 'truncated'],
  ] as const;
  for (const [table, refusal] of tables) {
    const trial = tryContents(t, PEERINGDB, { ...WHOLE, 'asn-types.csv': table });
    t.same(await refusalsOf(trial), [`${refusal} peeringdb/asn-types.csv`], JSON.stringify(table));
  }
});

t.test('route servers are networks of that type and the route servers of LANs', async (t) => {
  const db = await load(t, {
    ...WHOLE,
    'net-0.json': list(NET, { ...NET, id: 2, asn: 6695, info_type: 'Route Server' }),
    'ixlan-0.json': list(
      LAN,
      { ...LAN, id: 13, rs_asn: 4635 },
      { ...LAN, id: 14, rs_asn: 6695 },
      { ...LAN, id: 15, rs_asn: null },
    ),
  });
  t.same(db.routeServers, [4635, 6695]);
});

t.test('an operator named as route server by an exchange is not a route server, and is noted', async (t) => {
  const trial = await tryContents(t, PEERINGDB, {
    ...WHOLE,
    'net-0.json': list(
      NET,
      { ...NET, id: 2, asn: 6939, info_type: 'NSP' },
      { ...NET, id: 3, asn: 4635, info_type: '' },
    ),
    'ixlan-0.json': list({ ...LAN, rs_asn: 6939 }, { ...LAN, id: 14, rs_asn: 4635 }),
  });
  t.same(loadPeeringDb(trial.dir).routeServers, [4635]);
  t.same(trial.tally('ixlan-0.json').notes, { conflict: 1 });
});

t.test('only the invalid object is rejected', async (t) => {
  const trial = await tryContents(t, PEERINGDB, {
    ...WHOLE,
    'net-0.json': list(
      7,
      null,
      [NET],
      { ...NET, asn: 0 },
      { ...NET, asn: '1' },
      { ...NET, name: '' },
      { id: 1 },
      NET,
      NET,
    ),
    'ixpfx-0.json': list(
      { ...PREFIX, id: 2, prefix: '198.32.118.0/33' },
      { ...PREFIX, id: 3, prefix: '0.0.0.0/0' },
      PREFIX,
    ),
    'netixlan-0.json': list({ ...PORT, id: 1, speed: -1 }, PORT),
  });
  t.same(loadPeeringDb(trial.dir), EXPECTED);
  const { rejections, accepted, rows, notes } = trial.tally('net-0.json');
  t.equal(rejections.json?.count, 7);
  t.match(rejections.json?.examples, [{ position: 1, excerpt: '7' }, { position: 2 }, { position: 3 }]);
  t.equal(accepted, 2);
  t.equal(rows, 9);
  t.same(notes, { duplicate: 1 });
  t.same(trial.rejections('ixpfx-0.json'), ['json@1', 'json@2']);
  t.same(trial.rejections('netixlan-0.json'), ['json@1']);
});

t.test('a file cut at any byte is refused', async (t) => {
  const whole = Buffer.from(WHOLE['ix-0.json']);
  const read = ({ dir }: { readonly dir: string }): unknown => loadPeeringDb(dir);
  t.same(await cutsThatPass(t, PEERINGDB, { name: 'ix-0.json', whole, read }), []);
  t.same(await cutsThatPass(t, PEERINGDB, { name: DUMP, whole: Buffer.from(dump()), step: 3, read }), []);
});

t.test('files with other content are refused', async (t) => {
  const contents: Readonly<Record<string, string | Buffer>> = {
    container: '<!DOCTYPE html>\n<html lang="en"></html>',
    header: '{"meta":{"error":"rate limit"}}',
    truncated: '',
  };
  for (const [refusal, content] of Object.entries(contents)) {
    const trial = tryContents(t, PEERINGDB, { ...WHOLE, 'net-0.json': content });
    t.same(await refusalsOf(trial), [`${refusal} peeringdb/net-0.json`]);
  }
  const latin1 = Buffer.from(list({ ...NET, name: 'Caf\u00e9' }), 'latin1');
  t.same(await refusalsOf(tryContents(t, PEERINGDB, { 'net-0.json': latin1 })), [
    'container peeringdb/net-0.json',
  ]);
  const lacking = dump().replace('"fac":', '"facilities":');
  t.same(await refusalsOf(tryContents(t, PEERINGDB, { [DUMP]: lacking })), [`header peeringdb/${DUMP}`]);
  t.same(await refusalsOf(tryContents(t, PEERINGDB, {})), ['missing peeringdb']);
});
