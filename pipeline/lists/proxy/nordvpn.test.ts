import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { NORDVPN } from './nordvpn.js';
import { refuses, wholeOrRefused } from './testing/hostile-files.js';

const ID = 'nordvpn/servers.json';
const SHARED = 'vpn-providers/nordvpn-servers.json';
const VPN = { type: 'VPN', provider: 'NordVPN' };

t.test('every address of online servers is VPN with the brand', async (t) => {
  const { claimAt, tally } = await tryFiles(NORDVPN, [ID]);
  t.same(tally(ID), { accepted: 8, rejected: 0, rejections: {}, notes: { skipped: 2 } });
  for (const address of ['37.120.213.3', '2a0d:5600:24:1::4', '138.199.50.44', '138.199.50.45']) {
    t.same(claimAt(address), VPN, address);
  }
  t.equal(claimAt('37.120.213.5'), undefined, 'offline');
  t.equal(claimAt('138.199.24.21'), undefined, 'in maintenance');
});

t.test('an invalid server or address is rejected with the number of the server', async (t) => {
  const server = (ip: unknown): unknown => ({ status: 'online', ips: [{ ip: { ip } }] });
  const rows = [server('5.9.0.1'), server('5.9.0.0/16'), server(''), server(4), { status: 'online' }, 'x'];
  const { rejections, tally } = await tryContents(t, NORDVPN, { [ID]: JSON.stringify(rows) });
  t.same(rejections(ID), ['address@2', 'address@3', 'json@4', 'json@5', 'json@6']);
  t.equal(tally(ID).accepted, 1);
});

t.test('a server without an address is counted as unknown', async (t) => {
  const rows = [{ status: 'online', ips: [] }];
  const { tally } = await tryContents(t, NORDVPN, { [ID]: JSON.stringify(rows) });
  t.match(tally(ID), { accepted: 1, rejected: 0, notes: { unknown: 1 } });
});

t.test('a file truncated anywhere except before the last line end is refused', async (t) => {
  t.equal((await wholeOrRefused(t, NORDVPN, ID)).length, 1);
});

t.test('other documents are refused', async (t) => {
  await refuses(t, NORDVPN, { id: ID, bytes: '<html><body>403</body></html>', refusal: 'container' });
  await refuses(t, NORDVPN, {
    id: ID,
    bytes: '{"errors":{"message":"Too Many Requests"}}',
    refusal: 'header',
  });
});

t.test('the real servers are read without rejected rows', { skip: withoutReal([SHARED]) }, async (t) => {
  const { tally, claimAt } = await tryFiles(NORDVPN, [SHARED], REAL_FILES);
  t.same(tally(SHARED), { accepted: 2, rejected: 0, rejections: {}, notes: {} });
  t.same(claimAt('190.105.239.98'), VPN);
  t.same(claimAt('163.172.5.218'), VPN);
});
