import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { PROTON } from './proton.js';
import { refuses, wholeOrRefused } from './testing/hostile-files.js';

const ID = 'proton/logicals.json';
const SHARED = 'vpn-providers/protonvpn-logicals.json';
const VPN = { type: 'VPN', provider: 'ProtonVPN' };

t.test('exit addresses of running servers are VPN with the brand, entry addresses are not', async (t) => {
  const { claimAt, tally } = await tryFiles(PROTON, [ID]);
  t.same(tally(ID), { accepted: 7, rejected: 0, rejections: {}, notes: { skipped: 2, duplicate: 1 } });
  t.same(claimAt('185.244.213.11'), VPN);
  t.same(claimAt('185.244.213.20'), VPN, 'an exit that is an entry too');
  t.same(claimAt('138.199.60.6'), VPN);
  t.equal(claimAt('185.244.213.10'), undefined, 'an entry');
  t.equal(claimAt('185.244.213.21'), undefined, 'a server that is down');
  t.equal(claimAt('185.244.213.31'), undefined, 'a logical server that is down');
});

t.test('nothing is downloaded, because the publisher requires a login', (t) => {
  t.ok(PROTON.files.every(({ download }) => download === undefined));
  t.end();
});

const logicals = (...rows: readonly unknown[]): string =>
  JSON.stringify({ Code: 1000, LogicalServers: rows });

t.test('a logical server without servers is counted as unknown', async (t) => {
  const { tally } = await tryContents(t, PROTON, { [ID]: logicals({ Status: 1, Servers: [] }) });
  t.match(tally(ID), { accepted: 1, rejected: 0, notes: { unknown: 1 } });
});

t.test('an invalid server or address is rejected with the number of the logical server', async (t) => {
  const { rejections, tally } = await tryContents(t, PROTON, {
    [ID]: logicals(
      { Status: 1, Servers: [{ ExitIP: '5.9.0.1', Status: 1 }, { Status: 1 }] },
      { Status: 1, Servers: [{ ExitIP: '5.9.0.0/8', Status: 1 }, 'x'] },
      { Status: '1', Servers: [] },
      [],
      { Status: 0, Servers: [{ ExitIP: '5.9.0.2', Status: 1 }] },
    ),
  });
  t.same(rejections(ID), ['address@2', 'json@1', 'json@2', 'json@3']);
  t.same(tally(ID).rejections.json!.count, 4);
  t.same(tally(ID).notes, { skipped: 1 });
});

t.test('a truncated file is refused, also when the publisher marks it as truncated', async (t) => {
  t.same(await wholeOrRefused(t, PROTON, ID), []);
  const marked = '{"LogicalServers":[],"ResponseMetadata":{"ListIsTruncated":true},"Code":1000}';
  await refuses(t, PROTON, { id: ID, bytes: marked, refusal: 'truncated' });
});

t.test('other documents are refused', async (t) => {
  await refuses(t, PROTON, { id: ID, bytes: '<!DOCTYPE html>', refusal: 'container' });
  await refuses(t, PROTON, {
    id: ID,
    bytes: '{"Code":401,"Error":"Invalid access token"}',
    refusal: 'header',
  });
});

t.test('the real file is read without rejected rows', { skip: withoutReal([SHARED]) }, async (t) => {
  const { tally, table, claimAt } = await tryFiles(PROTON, [SHARED], REAL_FILES);
  const { rows, rejected, notes } = tally(SHARED);
  t.same({ rows, rejected, skipped: notes.skipped }, { rows: 3_321, rejected: 0, skipped: 30 });
  t.ok(table.networkCount() > 1_000);
  t.same(claimAt('103.125.235.21'), VPN);
  t.equal(claimAt('103.125.235.18'), undefined, 'an entry');
});
