import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { BLOCKLIST_DE } from './blocklist-de.js';
import { IPSUM } from './ipsum.js';
import { refuses } from './testing/hostile-files.js';

const ID = 'ipsum/ipsum.txt';
/** 2026-11-16, in UTC. */
const DAY = 20_773;
const SERVICES = ['ssh', 'mail', 'apache', 'bots', 'bruteforcelogin'].map(
  (name) => `blocklist-de/${name}.txt`,
);
const [SSH, MAIL] = SERVICES as [string, string];

t.test('addresses in at least three blocklists are scanners, others are skipped', async (t) => {
  const { claimAt, tally, claims } = await tryFiles(IPSUM, [ID]);
  t.same(tally(ID), { accepted: 20, rejected: 0, rejections: {}, notes: { skipped: 14 } });
  t.same(claims, [{ threats: ['SCANNER'], lastSeen: DAY }]);
  t.ok(claimAt('138.197.77.4'));
  t.ok(claimAt('14.18.64.9'), 'in three');
  t.equal(claimAt('1.34.99.1'), undefined, 'in two');
});

t.test('invalid rows of IPsum are rejected', async (t) => {
  const lines = [
    '5.9.0.1',
    '5.9.0.1\t',
    '5.9.0.1\t0',
    '5.9.0.1\tx',
    '5.9.0.300\t4',
    '5.9.0.0/16\t4',
    '10.0.0.1\t9',
  ];
  const { rejections, tally } = await tryContents(t, IPSUM, { [ID]: lines.join('\n') });
  t.same(rejections(ID), ['address@5', 'address@6', 'columns@1', 'columns@2', 'columns@3', 'reserved@7']);
  t.same([tally(ID).accepted, tally(ID).rejected], [0, 7]);
});

t.test('IPsum without a date in its header has no day', async (t) => {
  const { claims } = await tryContents(t, IPSUM, { [ID]: '5.9.0.1\t4' });
  t.same(claims, [{ threats: ['SCANNER'] }]);
});

t.test(
  'attackers of mail and bots are spammers, of logins and web servers scanners, some are both',
  async (t) => {
    const { claimAt, tally } = await tryFiles(BLOCKLIST_DE, SERVICES);
    t.same(claimAt('138.197.77.4'), { threats: ['SCANNER'] });
    t.same(claimAt('2001:41d0:8:99::1'), { threats: ['SCANNER'] });
    t.same(claimAt('14.18.64.9'), { threats: ['SCANNER'] });
    t.same(claimAt('1.34.99.1'), { threats: ['SCANNER'] });
    t.same(claimAt('36.64.8.1'), { threats: ['SPAM'] });
    t.same(claimAt('58.69.77.1'), { threats: ['SPAM'] });
    t.same(claimAt('5.9.200.1'), { threats: ['SPAM', 'SCANNER'] });
    t.same(
      SERVICES.map((id) => tally(id).rows),
      [4, 3, 2, 2, 2],
    );
    t.equal(
      SERVICES.reduce((sum, id) => sum + tally(id).rejected, 0),
      0,
    );
  },
);

t.test('rows of blocklist.de that are not a single address are rejected', async (t) => {
  const text = ['5.9.0.1', '0.0.0.0/0', 'x', '192.168.0.1', '5.9.0.2 # a comment', ''].join('\r\n');
  const { rejections, tally } = await tryContents(t, BLOCKLIST_DE, { [SSH]: text });
  t.same(rejections(SSH), ['address@2', 'address@3', 'reserved@4']);
  t.equal(tally(SSH).accepted, 2);
});

t.test('HTML pages and empty files are refused together', async (t) => {
  await refuses(t, IPSUM, { id: ID, bytes: '<html>', refusal: 'container' });
  await refuses(t, BLOCKLIST_DE, { id: SSH, bytes: '<html>', refusal: 'container' });
  await t.rejects(tryContents(t, BLOCKLIST_DE, { [SSH]: '', [MAIL]: '<html>' }), { name: 'RefusedFiles' });
});
