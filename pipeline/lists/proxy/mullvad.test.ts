import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { MULLVAD } from './mullvad.js';
import { fixtureBytes, refuses, wholeOrRefused } from './testing/hostile-files.js';

const ID = 'mullvad/relays.json';
const SHARED = 'vpn-providers/mullvad-relays.json';
const VPN = { type: 'VPN', provider: 'Mullvad' };

const relay = {
  hostname: 'a-wg-1',
  active: true,
  provider: 'M247',
  ipv4_addr_in: '37.120.201.2',
  ipv6_addr_in: null,
};
const array = (...relays: readonly unknown[]): string => JSON.stringify(relays);

t.test('every address of the fixture is counted, and inactive relays are skipped', async (t) => {
  const { tally, log } = await tryFiles(MULLVAD, [ID]);
  t.same(tally(ID), { accepted: 15, rejected: 0, rejections: {}, notes: { duplicate: 1, skipped: 2 } });
  t.same(log, []);
});

t.test('all entry addresses of a relay are VPN with the brand, not the hosting company', async (t) => {
  const { claimAt, claims } = await tryFiles(MULLVAD, [ID]);
  for (const address of [
    '37.120.201.2',
    '2a0d:5600:1:3::f001',
    '37.120.201.9',
    '37.120.201.12',
    '2a0d:5600:1:3::f00c',
    '138.199.6.194',
    '185.244.212.18',
  ]) {
    t.same(claimAt(address), VPN, address);
  }
  t.equal(claimAt('138.199.6.162'), undefined, 'switched off');
  t.equal(claimAt('37.120.201.3'), undefined, 'not in the list');
  t.equal(claims.length, 1);
});

t.test('the flat array gives the same claims', async (t) => {
  const { claimAt, tally } = await tryContents(t, MULLVAD, {
    [ID]: array(
      relay,
      { ...relay, active: false },
      { ...relay, ipv4_addr_in: '37.120.201.3', ipv6_addr_in: '' },
    ),
  });
  t.same(tally(ID), { accepted: 3, rejected: 0, rejections: {}, notes: { skipped: 1 } });
  t.same(claimAt('37.120.201.3'), VPN);
});

t.test('one file is enough, and both are read together', async (t) => {
  const other = array({ ...relay, ipv4_addr_in: '37.120.201.77' });
  const alone = await tryContents(t, MULLVAD, { [SHARED]: other });
  t.same(alone.claimAt('37.120.201.77'), VPN);
  const both = await tryContents(t, MULLVAD, { [ID]: fixtureBytes(ID), [SHARED]: other });
  t.same(both.claimAt('37.120.201.77'), VPN);
  t.same(both.claimAt('37.120.201.2'), VPN);
});

t.test('an invalid relay or address is rejected with the number of the relay', async (t) => {
  const bad = [{ ...relay, active: 'yes' }, 7, null, { ...relay, ipv4_addr_in: 5 }];
  const { rejections, tally } = await tryContents(t, MULLVAD, {
    [ID]: array(
      relay,
      ...bad.slice(0, 3),
      { ...relay, ipv4_addr_in: '0.0.0.0/0' },
      { ...relay, ipv4_addr_in: 'relay.example.net' },
      { ...relay, ipv4_addr_in: '10.0.0.1' },
    ),
  });
  t.same(rejections(ID), ['address@5', 'address@6', 'json@2', 'json@3', 'json@4', 'reserved@7']);
  t.notMatch(
    tally(ID).rejections.json!.examples[0]!.excerpt,
    'M247',
    'the excerpt has only the keys that are read',
  );
  const all = await tryContents(t, MULLVAD, { [ID]: array(...bad) });
  t.equal(all.tally(ID).rejected, 4, 'all of them');
});

t.test('a file truncated anywhere is refused', async (t) => {
  t.same(await wholeOrRefused(t, MULLVAD, ID), []);
});

t.test('other documents are refused', async (t) => {
  await refuses(t, MULLVAD, { id: ID, bytes: '<!doctype html><title>502</title>', refusal: 'container' });
  await refuses(t, MULLVAD, { id: ID, bytes: '{"countries":[]}', refusal: 'header' });
  await refuses(t, MULLVAD, { id: ID, bytes: '{"error":"rate limit"}', refusal: 'header' });
  await refuses(t, MULLVAD, { id: ID, bytes: '', refusal: 'truncated' });
  await refuses(t, MULLVAD, { id: ID, bytes: Buffer.from('["\xff"]', 'latin1'), refusal: 'container' });
});

t.test('two unusable files are reported together', async (t) => {
  await t.rejects(tryContents(t, MULLVAD, { [ID]: '{}', [SHARED]: '[' }), { name: 'RefusedFiles' });
});

t.test('the real file is read without rejected rows', { skip: withoutReal([SHARED]) }, async (t) => {
  const { tally, table } = await tryFiles(MULLVAD, [SHARED], REAL_FILES);
  const { rows, rejected, notes } = tally(SHARED);
  t.equal(rejected, 0);
  t.equal(notes.skipped, 33, '25 relays and 8 bridges are off');
  t.equal(table.networkCount() > 500 && rows > 1_100, true);
});
