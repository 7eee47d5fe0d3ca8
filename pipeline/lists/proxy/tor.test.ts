import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseDay } from '../days.js';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { refusalsOf, refusedBy } from '../../input/testing/refusals.js';
import { TOR } from './tor.js';

const STANZAS = 'tor/exit-addresses';
const DETAILS = 'tor/details.json';
const BULK = 'tor/torbulkexitlist';
const MIRROR = 'tor/latest.exits.csv';
const ALL = [STANZAS, DETAILS, BULK, MIRROR];

function tor(day: string): { type: string; lastSeen: number } {
  return { type: 'TOR', lastSeen: parseDay(day)! };
}

t.test('all files are read together, and the latest sighting of an address is used', async (t) => {
  const trial = await tryFiles(TOR, ALL);
  t.same(trial.claimAt('94.230.208.147'), tor('2026-11-17'));
  t.same(trial.claimAt('94.230.208.148'), tor('2026-11-16'), 'seen by two relays');
  t.same(trial.claimAt('138.197.124.121'), tor('2026-11-16'), 'the first address of a stanza');
  t.same(trial.claimAt('139.162.208.30'), tor('2026-11-15'), 'and the second');
  t.same(trial.claimAt('8.215.52.126'), tor('2026-11-13'), 'an old day is preferred to no day');
  t.same(trial.claimAt('8.211.148.167'), { type: 'TOR' }, 'only in the mirror, because its stanza is broken');
  t.same(trial.claimAt('2a01:4f8:c17:8543::1'), { type: 'TOR' }, 'an IPv6 address of the mirror');
  t.equal(trial.claimAt('94.230.208.146'), undefined);
});

t.test('the order of the files does not matter', async (t) => {
  const one = await tryFiles(TOR, ALL);
  const other = await tryFiles(TOR, ALL.toReversed());
  for (const address of ['94.230.208.147', '94.230.208.148', '8.215.52.126', '2a02:418:6017::147']) {
    t.same(one.claimAt(address), other.claimAt(address), address);
  }
});

t.test('every row of every file is counted', async (t) => {
  const trial = await tryFiles(TOR, ALL);
  const lines = (id: string): string[] =>
    readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', id), 'utf8')
      .trimEnd()
      .split('\n');
  const addresses = lines(STANZAS).filter((line) => line.startsWith('ExitAddress')).length;
  t.equal(trial.tally(STANZAS).rows, addresses);
  t.equal(trial.tally(STANZAS).accepted, addresses - 1);
  t.match(trial.rejections(STANZAS), [/^columns@\d+$/]);
  t.equal(trial.tally(BULK).accepted, lines(BULK).length);
  t.equal(trial.tally(MIRROR).accepted, lines(MIRROR).length - 1);
  for (const id of ALL) {
    const { rows, rejected } = trial.tally(id);
    t.ok(rejected <= rows * TOR.tolerance, `${id} is within the tolerance`);
  }
});

t.test('guards, middle relays and stopped exits are not listed', async (t) => {
  const trial = await tryFiles(TOR, [DETAILS]);
  t.equal(trial.claimAt('51.68.204.139'), undefined, 'a guard');
  t.equal(trial.claimAt('95.216.20.80'), undefined, 'a middle relay');
  t.equal(trial.claimAt('2a01:4f8:c17:8543::99'), undefined, 'the same in IPv6');
  t.equal(trial.claimAt('88.198.44.44'), undefined, 'an exit that is off');
  t.equal(
    trial.claimAt('46.101.3.7'),
    undefined,
    'the listening address of a relay with another exit address',
  );
  t.same(trial.tally(DETAILS).notes, { unknown: 3 });
});

t.test('exit addresses are used, else the hosts of a running exit, per family', async (t) => {
  const trial = await tryFiles(TOR, [DETAILS]);
  t.same(trial.claimAt('94.230.208.147'), tor('2026-11-17'));
  t.same(
    trial.claimAt('2a02:418:6017::147'),
    tor('2026-11-17'),
    'IPv6 exits are not tested: its own address',
  );
  t.same(trial.claimAt('5.39.33.176'), tor('2026-11-17'));
  t.same(trial.claimAt('2001:41d0:a:5c0::1'), tor('2026-11-17'));
  t.same(trial.claimAt('46.101.127.145'), tor('2026-11-16'), 'used within a day, though it is off now');
  t.same(trial.claimAt('46.101.3.8'), tor('2026-11-16'));
  t.equal(trial.tally(DETAILS).accepted, 9);
});

t.test('a document without a day gives addresses without one', async (t) => {
  const trial = await tryContents(t, TOR, { [DETAILS]: '{"relays":[{"exit_addresses":["5.39.33.176"]}]}' });
  t.same(trial.claimAt('5.39.33.176'), { type: 'TOR' });
});

function details(relays: readonly unknown[], published = '2026-11-17 09:00:00'): string {
  return JSON.stringify({ version: '8.0', relays_published: published, relays, bridges: [] });
}

t.test('a document with the requested fields has only exits', async (t) => {
  const relay = { or_addresses: ['5.39.33.176:9001'], running: true };
  const trial = await tryContents(t, TOR, {
    [DETAILS]: details([relay, { ...relay, or_addresses: ['5.39.33.177:1'], running: false }]),
  });
  t.same(trial.claimAt('5.39.33.176'), tor('2026-11-17'), 'without a day: that of the document');
  t.equal(trial.claimAt('5.39.33.177'), undefined);
});

t.test('each invalid relay is one rejected row', async (t) => {
  const exit = { running: true, flags: ['Exit'] };
  const trial = await tryContents(t, TOR, {
    [DETAILS]: details([
      7,
      { ...exit, or_addresses: '5.39.33.176:9001' },
      { ...exit, or_addresses: ['exit.example:443', '5.39.33.176'], last_seen: '2026-11-16 01:00:00' },
      { ...exit, or_addresses: ['5.39.33.178:1'], last_seen: 'yesterday' },
    ]),
  });
  t.same(trial.rejections(DETAILS), ['address@3', 'date@4', 'json@1', 'json@2']);
  t.same(trial.claimAt('5.39.33.176'), tor('2026-11-16'));
});

const STANZA = [
  'ExitNode 0011BD2485AD45D984EC4159C88FC066E5E3300E',
  'Published 2026-11-16 10:15:24',
  'LastStatus 2026-11-16 11:02:34',
  'ExitAddress 5.39.33.176 2026-11-16 11:03:58',
];

t.test('a stanza with a missing line is one rejected row, without its addresses', async (t) => {
  const other = STANZA.map((line) => line.replace('5.39.33.176', '5.39.33.177'));
  for (const missing of [0, 1, 2, 3]) {
    const broken = STANZA.filter((_, i) => i !== missing);
    const trial = await tryContents(t, TOR, { [STANZAS]: [...other, ...broken, ...other].join('\n') + '\n' });
    t.same(trial.rejections(STANZAS), ['columns@5'], `without line ${missing}`);
    t.equal(trial.tally(STANZAS).accepted, 2);
    t.equal(trial.claimAt('5.39.33.176'), undefined);
    t.same(trial.claimAt('5.39.33.177'), tor('2026-11-16'));
  }
});

t.test('archived lists have a header, and other lines and bad addresses are counted', async (t) => {
  const trial = await tryContents(t, TOR, {
    [STANZAS]: [
      '@type tordnsel 1.0',
      'Downloaded 2026-11-17 00:00:00',
      ...STANZA,
      'ExitAddress 5.39.33.300 2026-11-16 11:03:58',
      'ExitAddress 5.39.33.177 2026-11-31 11:03:58',
      'ExitAddress 5.39.33.178',
      'Contact nobody',
      'ExitAddress 5.39.33.179 2026-11-15 00:00:00',
    ].join('\r\n'),
  });
  t.same(trial.rejections(STANZAS), ['address@7', 'columns@10', 'date@8', 'date@9']);
  t.equal(trial.tally(STANZAS).rows, 6);
  t.same(trial.claimAt('5.39.33.179'), tor('2026-11-15'));
});

t.test('a day that a claim cannot store rejects its row, not the list', async (t) => {
  for (const date of ['9999-12-31', '1969-12-31']) {
    const stray = STANZA.map((line) =>
      line.replace(/2026-11-16/, date).replace('5.39.33.176', '5.39.33.177'),
    );
    const relay = { exit_addresses: ['5.39.33.177'], last_seen: `${date} 01:00:00` };
    const trial = await tryContents(t, TOR, {
      [STANZAS]: [...STANZA, ...stray].join('\n') + '\n',
      [DETAILS]: details([relay]),
    });
    t.same([trial.rejections(STANZAS), trial.rejections(DETAILS)], [['date@8'], ['date@1']], date);
    t.same(trial.claims, [tor('2026-11-16')]);
  }
});

t.test('a list of stanzas truncated at any byte never gives an address that is not in it', async (t) => {
  const whole = [...STANZA, 'ExitAddress 94.230.208.147 2026-11-15 11:03:58'].join('\n') + '\n';
  for (let end = 1; end < whole.length; end++) {
    const trial = await tryContents(t, TOR, { [STANZAS]: whole.slice(0, end) });
    const known = [trial.claimAt('5.39.33.176'), trial.claimAt('94.230.208.147')].filter((claim) => claim);
    t.equal(trial.claims.length, known.length);
    t.ok(trial.tally(STANZAS).rows >= 1);
  }
});

t.test('only addresses are exits', async (t) => {
  const trial = await tryContents(t, TOR, {
    [BULK]: '# list\n5.39.33.176\n5.39.33.0/24\n::ffff:5.39.33.177\n10.0.0.1\n5.39.33.178/32\n5.39.33\n',
  });
  t.same(trial.rejections(BULK), ['address@7', 'prefix-length@3', 'reserved@5']);
  t.same(trial.tally(BULK).notes, { mapped: 1 });
  t.equal(trial.claimAt('5.39.33.177'), undefined);
  t.same(trial.claimAt('5.39.33.178'), { type: 'TOR' });
});

t.test('the mirror is read by its header, ignoring spaces', async (t) => {
  const trial = await tryContents(t, TOR, {
    [MIRROR]: 'port,  ipaddr , fingerprint\n443, 5.39.33.176, AA\n444, 5.39.33.177\n9001, , BB\n',
  });
  t.same(trial.rejections(MIRROR), ['address@4', 'columns@3']);
  t.ok(trial.claimAt('5.39.33.176'));
  const [refused] = await refusedBy(tryContents(t, TOR, { [MIRROR]: 'fingerprint, address, port\n' }));
  t.equal(refused?.refusal, 'header');
  t.equal(refused?.found, 'the header lacks column "ipaddr", has unknown column "address"');
});

t.test('all unusable files are refused together', async (t) => {
  const page = '<!DOCTYPE html><html><body>503</body></html>';
  const contents = {
    [STANZAS]: page,
    [DETAILS]: '{"relays_published":"2026-11-17 09:00:00","relays":[{"running":true}',
    [BULK]: '5.39.33.176\n0.0.0.0/0\n',
    [MIRROR]: '\n',
  };
  t.same(await refusalsOf(tryContents(t, TOR, contents)), [`${STANZAS} container`, `${DETAILS} truncated`]);
  t.same(await refusalsOf(tryContents(t, TOR, { [BULK]: contents[BULK] })), [`${BULK} too-wide`]);
  for (const content of [details([], 'today'), '[]', '{"bridges":[]}']) {
    t.same(await refusalsOf(tryContents(t, TOR, { [DETAILS]: content })), [`${DETAILS} header`], content);
  }
});

t.test('every row of a file without valid rows is rejected', async (t) => {
  const trial = await tryContents(t, TOR, { [STANZAS]: 'one\ntwo\n', [BULK]: 'one\ntwo\n' });
  t.equal(trial.tally(STANZAS).rejected, 2);
  t.equal(trial.tally(BULK).rejected, 2);
  t.equal(trial.claims.length, 0);
});

const REAL = [BULK, MIRROR];
t.test('the real lists are read completely', { skip: withoutReal(REAL) }, async (t) => {
  const trial = await tryFiles(TOR, REAL, REAL_FILES);
  for (const id of REAL) {
    const lines = readFileSync(join(REAL_FILES, id), 'utf8').trimEnd().split('\n').length;
    t.equal(trial.tally(id).accepted, id === MIRROR ? lines - 1 : lines, id);
    t.equal(trial.tally(id).rejected, 0);
  }
  t.same(trial.claimAt('94.230.208.147'), { type: 'TOR' });
  t.equal(trial.claims.length, 1);
});
