import t from 'tap';
import { tryContents } from '../testing/own-trial.js';
import { LISTED_ANYCAST } from './anycast.js';

const CLOUDFLARE = 'cloud/ips-v4';
const IPV4 = 'anycast/anycatch-v4-prefixes.txt';
const IPV6 = 'anycast/anycatch-v6-prefixes.txt';
const WHOIS = 'whois-country/ipv4.tsv.gz';

const LISTED = { basis: 'registration', anycast: 'listed' };
const STATED = { basis: 'registration', anycast: 'stated' };

t.test('Cloudflare states that its ranges are anycast', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [CLOUDFLARE]:
      '# ranges\n104.16.0.0/13\r\n\n 172.64.0.0/13\n1.2.3\n1.2.3.0/24\tx\n104.16.0.0/13\n108.162.192.0/18',
    'cloud/ips-v6': '2606:4700::/32',
    [WHOIS]: '104.0.0.0/8\tUS\n',
  });
  t.same(trial.claimAt('104.16.0.1'), { ...STATED, country: 'US', registeredCountry: 'US' });
  for (const address of ['172.64.0.1', '108.162.192.1', '2606:4700::1'])
    t.same(trial.claimAt(address), STATED, address);
  t.equal(trial.claimAt('104.32.0.1')?.anycast, undefined);
  t.same(trial.rejections(CLOUDFLARE), ['address@5', 'address@6']);
  t.match(trial.tally(CLOUDFLARE), { rows: 6, notes: { duplicate: 1 } });
});

t.test('a page or a too wide range in place of Cloudflare’s is refused', async (t) => {
  const refused = (text: string): Promise<unknown> => tryContents(t.testdir(), { [CLOUDFLARE]: text });
  await t.rejects(refused('<!doctype html><h1>Sorry</h1>'), { name: 'FeedError', refusal: 'container' });
  await t.rejects(refused('104.0.0.0/6\n'), { name: 'FeedError', refusal: 'too-wide' });
});

t.test('listed prefixes are anycast', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [IPV4]: '# seen\n1.1.1.0/24\r\n8.8.8.0/24\n\n1.1.1.0/24\n9.9.9.9',
    [IPV6]: '2620:fe::/48\n',
    [WHOIS]: '8.0.0.0/8\tUS\n',
  });
  t.same(trial.claimAt('1.1.1.1'), LISTED);
  t.same(trial.claimAt('8.8.8.8'), { ...LISTED, country: 'US', registeredCountry: 'US' });
  t.same(trial.claimAt('8.8.9.1'), { basis: 'registration', country: 'US', registeredCountry: 'US' });
  t.same(trial.claimAt('9.9.9.9'), LISTED, 'an address alone');
  t.same(trial.claimAt('2620:fe::fe'), LISTED);
  t.match(trial.tally(IPV4), { rows: 4, rejected: 0, notes: { duplicate: 1 } });
});

t.test('rows that are no prefix of the family of their file are rejected', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [IPV4]: '1.1.1.0/33\n2620:fe::/48\n1.1.1.0/24\t1.1.1.1\n10.0.0.0/24\nAS13335\n8.8.8.0/24\n',
    [IPV6]: '8.8.4.0/24\n2620:fe::/48\n',
  });
  t.same(trial.rejections(IPV4).sort(), ['address@1', 'address@5', 'columns@3', 'family@2', 'reserved@4']);
  t.same(trial.rejections(IPV6), ['family@1']);
  t.equal(trial.claimAt('8.8.4.4'), undefined);
});

t.test(
  'wide prefixes of a list are not used, because only a part of them is known to be anycast',
  async (t) => {
    const trial = await tryContents(t.testdir(), {
      [IPV4]: '34.96.0.0/14\n66.28.0.0/19\n76.223.112.0/20\n0.0.0.0/0\n',
      [IPV6]: '2600:1901::/32\n2610:a1:3100::/40\n2a01:3f1:3000::/39\n',
    });
    for (const address of ['34.96.64.1', '66.28.0.45', '2600:1901::1', '2a01:3f1:3000::1'])
      t.equal(trial.claimAt(address), undefined, address);
    for (const address of ['76.223.127.1', '2610:a1:31ff::1'])
      t.same(trial.claimAt(address), LISTED, address);
    t.match(trial.tally(IPV4), { rows: 4, rejected: 0, notes: { unknown: 3, skipped: 3 } });
    t.match(trial.tally(IPV6), { rows: 3, notes: { unknown: 2, skipped: 2 } });
  },
);

t.test('a geofeed keeps its place in the claim, next to anycast', async (t) => {
  const trial = await tryContents(t.testdir(), {
    'own/geofeeds/a.csv': '1.1.1.0/24,AU,AU-NSW,Sydney,\n8.8.8.8/32,US,US-NY,New York,\n',
    [IPV4]: '1.1.1.0/24\n8.8.8.0/24\n',
  });
  t.match(trial.claimAt('1.1.1.1'), { cityName: 'Sydney', basis: 'geofeed', anycast: 'listed' });
  t.match(
    trial.claimAt('8.8.8.8'),
    { cityName: 'New York', anycast: 'listed' },
    'for any length of prefixes',
  );
});

t.test('a claim without the lists is the same without their mark', (t) => {
  t.same(LISTED_ANYCAST.without({ country: 'US', anycast: 'listed' }), { country: 'US' });
  t.notOk('anycast' in LISTED_ANYCAST.without({ country: 'US', anycast: 'listed' }));
  for (const claim of [{ country: 'US' }, { country: 'US', anycast: 'stated' }] as const)
    t.equal(LISTED_ANYCAST.without(claim), claim);
  t.end();
});
