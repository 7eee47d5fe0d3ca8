import t from 'tap';
import { tryContents } from '../testing/own-trial.js';

const TABLE = 'whois-country/ipv4.tsv.gz';
const LIST = 'own/country/ad/ad-ipv6.txt';

t.test('a table row gives the country of the block as registration data', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [TABLE]: '# comment\n2.152.216.0/21\tAD\n143.137.1.0/24\tUK\n',
    'whois-country/ipv6.tsv.gz': '2001:4860::/32\tUS\n',
  });
  t.same(trial.claimAt('2.152.216.1'), { country: 'AD', registeredCountry: 'AD', basis: 'registration' });
  t.equal(trial.claimAt('143.137.1.1')?.country, 'GB');
  t.equal(trial.claimAt('2001:4860:4860::8888')?.country, 'US');
  t.equal(trial.tally(TABLE).rows, 2);
});

t.test('a list takes its country from the path', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [LIST]: '# Country: Andorra (AD)\n#\n2001:4b28:8000::/40\n',
  });
  t.equal(trial.claimAt('2001:4b28:8000::1')?.country, 'AD');
  t.equal(trial.tally(LIST).rows, 1);
});

t.test('a path that names two countries is refused', async (t) => {
  const content = { 'own/country/ad/es-ipv4.txt': '2.152.216.0/21\n' };
  await t.rejects(tryContents(t.testdir(), content), {
    name: 'FeedError',
    refusal: 'header',
    file: 'own/country/ad/es-ipv4.txt',
  });
});

t.test('rows with EU and ZZ give no claim', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [TABLE]: '2.16.0.0/13\tEU\n2.24.0.0/13\tZZ\n',
    'own/country/eu/eu-ipv4.txt': '2.16.0.0/13\n',
  });
  t.equal(trial.networkCount, 0);
  t.same(trial.tally(TABLE).notes, { unknown: 2 });
  t.same(trial.tally('own/country/eu/eu-ipv4.txt').notes, { unknown: 1 });
});

t.test('every bad row is rejected with its reason and line', async (t) => {
  const rows = [
    '63.245.41.0/24\tAN',
    '63.245.42.0/24\tCS',
    '63.245.43.0/24',
    '63.245.44.0/24\tUS\tCA',
    '63.245.45/24\tUS',
    '2001:4860::/32\tUS',
    '10.0.0.0/8\tAU',
    '63.245.46.0/24\tUS',
  ];
  const trial = await tryContents(t.testdir(), { [TABLE]: rows.join('\n'), [LIST]: '2.152.216.0/21\nAD\n' });
  t.same(trial.rejections(TABLE).sort(), [
    'address@5',
    'columns@3',
    'columns@4',
    'country@1',
    'country@2',
    'family@6',
    'reserved@7',
  ]);
  t.equal(trial.tally(TABLE).accepted, 1);
  t.same(trial.rejections(LIST).sort(), ['address@2', 'family@1']);
});
