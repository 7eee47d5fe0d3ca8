import t from 'tap';
import type { Claim } from '../../input/claims/claim.js';
import { tryContents } from '../testing/own-trial.js';

const FILE = 'own/geofeeds/operator.csv';

const read = (root: string, content: string | Buffer) => tryContents(root, { [FILE]: content });

const STATED = { basis: 'geofeed', statedBy: 'own/geofeeds/operator.csv' } as const;

/** Returns the claim of one row for 24.89.192.1. */
async function claimOf(root: string, row: string): Promise<Claim | undefined> {
  return (await read(root, `${row}\n`)).claimAt('24.89.192.1');
}

t.test('a row gives country, ISO region and city, and no postal code', async (t) => {
  const claim = { country: 'CA', region: 'CA-NS', cityName: 'Sydney', ...STATED };
  t.same(await claimOf(t.testdir(), '24.89.192.0/20,CA,CA-NS,Sydney,B1P 0A1'), claim);
  t.same(
    await claimOf(t.testdir(), ' 24.89.192.0/20 , ca , ca-ns , Sydney , '),
    claim,
    'spaces and lower case',
  );
  t.same(await claimOf(t.testdir(), '"24.89.192.0/20","CA","CA-NS","Sydney",""'), claim, 'quotes');
  t.same(await claimOf(t.testdir(), '\ufeff24.89.192.0/20,CA,CA-NS,Sydney,\r'), claim, 'BOM and CRLF');
});

t.test('missing trailing columns are absent', async (t) => {
  t.same(await claimOf(t.testdir(), '24.89.192.0/20,CA'), { country: 'CA', ...STATED });
  t.same(await claimOf(t.testdir(), '24.89.192.0/20,CA,CA-NS'), {
    country: 'CA',
    region: 'CA-NS',
    ...STATED,
  });
});

t.test(
  'of more than five columns only prefix, country and region count, unless the rest is empty',
  async (t) => {
    const claim = { country: 'CA', region: 'CA-NS', ...STATED };
    t.same(await claimOf(t.testdir(), '24.89.192.0/20,CA,CA-NS,Sydney,,'), { ...claim, cityName: 'Sydney' });
    t.same(await claimOf(t.testdir(), '24.89.192.0/20,CA,CA-NS,Sydney,B1P,east,1'), claim);
  },
);

t.test('a city may have a quoted comma', async (t) => {
  t.match(await claimOf(t.testdir(), '24.89.192.0/20,GQ,GQ-LI,"Bata, Malabo",'), {
    cityName: 'Bata, Malabo',
  });
});

t.test('a region that is not an ISO code is kept as text', async (t) => {
  const named = await claimOf(t.testdir(), '24.89.192.0/20,BR,São Paulo,São Paulo,');
  t.same(named, { country: 'BR', regionName: 'São Paulo', cityName: 'São Paulo', ...STATED });
  t.match(await claimOf(t.testdir(), '24.89.192.0/20,DO,13,La Vega,'), { regionName: '13' });
});

t.test('a withdrawn region becomes its successor, and an unlisted one is dropped with a note', async (t) => {
  const rows = ['24.89.192.0/20,NO,no-02,', '24.89.208.0/20,NO,NO-30,', '24.89.224.0/20,NO,NO-30,'];
  const trial = await read(t.testdir(), rows.join('\n'));
  t.same(trial.claimAt('24.89.192.1'), { country: 'NO', region: 'NO-32', ...STATED });
  t.same(trial.claimAt('24.89.208.1'), { country: 'NO', ...STATED });
  t.same(trial.tally(FILE).notes, { 'region-code': 2 });
});

t.test('a region of another country is dropped with a note', async (t) => {
  const trial = await read(t.testdir(), '24.89.192.0/20,US,CA-NS,Sydney,\n24.89.208.0/20,US,CA-NS,Sydney,\n');
  t.same(trial.claimAt('24.89.192.1'), { country: 'US', cityName: 'Sydney', ...STATED });
  t.same(trial.tally(FILE).notes, { 'region-country': 2 });
});

t.test('UK becomes GB, and a dash is not a city', async (t) => {
  t.same(await claimOf(t.testdir(), '24.89.192.0/20,UK,-,-,-'), { country: 'GB', ...STATED });
});

t.test('comments and blank lines are not rows', async (t) => {
  const trial = await read(
    t.testdir(),
    '# first,,,,\n\n24.89.192.0/20,CA,,,\n  # with "quotes" inside\n\r\n#last, "open\n',
  );
  t.equal(trial.tally(FILE).rows, 1);
  t.equal(trial.tally(FILE).accepted, 1);
});

t.test('a header without # is not a row', async (t) => {
  const headers = [
    'prefix,country,region,city,zip',
    'ip_prefix,alpha2code,region,city,postal_code',
    'IP Prefix,Country Code,Region,City,Postal Code',
    'network,cc',
  ];
  for (const header of headers) {
    const trial = await read(t.testdir(), `# operator\n${header}\n24.89.192.0/20,CA,,,\n`);
    t.equal(trial.tally(FILE).rows, 1, header);
  }
});

t.test('a file with other columns is refused', async (t) => {
  await t.rejects(read(t.testdir(), 'prefix,city,country\n24.89.192.0/20,Sydney,CA\n'), {
    name: 'FeedError',
    refusal: 'header',
    file: FILE,
  });
  const late = await read(t.testdir(), '24.89.192.0/20,CA,,,\nprefix,city,country\n');
  t.same(late.rejections(FILE), ['address@2'], 'only the first row can be a header');
});

t.test('addresses, host bits and nested prefixes are accepted', async (t) => {
  const trial = await read(
    t.testdir(),
    '24.89.192.0/18,CA,,,\n24.89.192.0/20,CA,CA-NS,Sydney,\n24.89.193.7,CA,CA-NS,Truro,\n24.89.210.9/20,CA,CA-ON,,\n',
  );
  t.equal(trial.claimAt('24.89.192.1')?.cityName, 'Sydney');
  t.equal(trial.claimAt('24.89.193.7')?.cityName, 'Truro');
  t.equal(trial.claimAt('24.89.208.0')?.region, 'CA-ON');
  t.same(trial.claimAt('24.89.224.1'), { country: 'CA', ...STATED });
  t.same(trial.tally(FILE).notes, { 'host-bits': 1 });
});

t.test('a repeated prefix keeps its first row', async (t) => {
  const trial = await read(
    t.testdir(),
    '24.89.192.0/20,CA,CA-NS,Sydney,\n24.89.192.0/20,CA,CA-NS,Sydney,\n24.89.192.0/20,CA,CA-ON,,\n',
  );
  t.equal(trial.claimAt('24.89.192.1')?.region, 'CA-NS');
  t.same(trial.tally(FILE).notes, { duplicate: 1, conflict: 1 });
});

t.test('an empty country, or ZZ, removes the location of the prefix', async (t) => {
  const content = '24.89.192.0/18,CA,,,\n24.89.192.0/20,,,,\n24.89.208.0/20\n24.89.224.0/20,zz,,,\n';
  const trial = await read(t.testdir(), content);
  for (const address of ['24.89.192.1', '24.89.208.1', '24.89.224.1'])
    t.equal(trial.claimAt(address), undefined);
  t.match(trial.claimAt('24.89.240.1'), { country: 'CA' });
  t.same(trial.tally(FILE).notes, {});
});

t.test('a row without information is accepted as unknown', async (t) => {
  const trial = await read(t.testdir(), ',,,,\n24.89.192.0/20,EU,,,\n24.89.208.0/20,-,,,\n');
  t.same(trial.tally(FILE).notes, { unknown: 3 });
  t.equal(trial.tally(FILE).accepted, 3);
  t.equal(trial.networkCount, 0);
});

t.test('every bad row is rejected with its reason and line', async (t) => {
  const content = Buffer.from(
    [
      '# operator',
      '192.219.0.0.24,CA,CA-MB,Winnipeg,',
      '24.89.192.0/33,CA,,,',
      '024.89.192.0/24,CA,,,',
      '24.89.192.0/20,XX,,,',
      '24.89.192.0/20,AN,,,',
      '24.89.192.0/20,Canada,,,',
      '24.89.192.0/20,CA,CA-NS,"Sydney "East",',
      '24.89.192.0/20,CA,CA-NS,"Sydney,',
      '24.89.192.0/20,CA,CA-NS,S\u00fddney,',
      '10.1.0.0/16,CA,,,',
    ].join('\n'),
    'latin1',
  );
  const trial = await read(t.testdir(), content);
  t.same(trial.rejections(FILE).sort(), [
    'address@2',
    'address@3',
    'address@4',
    'country@5',
    'country@6',
    'country@7',
    'encoding@10',
    'quoting@8',
    'quoting@9',
    'reserved@11',
  ]);
  t.equal(trial.tally(FILE).rows, 10);
  t.equal(trial.tally(FILE).rejections.address?.examples[0]?.excerpt, '192.219.0.0.24,CA,CA-MB,Winnipeg,');
});

t.test('a web page instead of a geofeed is refused', async (t) => {
  const page = '<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n';
  await t.rejects(read(t.testdir(), page), { name: 'FeedError', refusal: 'container' });
});
