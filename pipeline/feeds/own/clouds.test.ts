import t, { type Test } from 'tap';
import { tryContents, type Trial } from '../testing/own-trial.js';

const AWS = 'cloud/ip-ranges.json';
const AZURE = 'cloud/ServiceTags_Public_20261116.json';
const GOOGLE = 'cloud/cloud.json';
const ORACLE = 'cloud/public_ip_ranges.json';

type AwsRow = readonly [prefix: string, service: string, borderGroup: string];

/** Rows in the layout of AWS. The region is that of the border group. */
function awsText(rows: readonly AwsRow[]): string {
  const of = (key: string, isOf: (prefix: string) => boolean): object[] =>
    rows
      .filter(([prefix]) => isOf(prefix))
      .map(([prefix, service, group]) => {
        const region = /^[a-z]+-[a-z]+-\d/.exec(group)?.[0] ?? group;
        return { [key]: prefix, region, service, network_border_group: group };
      });
  const isIpv6 = (prefix: string): boolean => prefix.includes(':');
  return JSON.stringify({
    prefixes: of('ip_prefix', (prefix) => !isIpv6(prefix)),
    ipv6_prefixes: [...of('ipv6_prefix', isIpv6), ...IPV6_ROWS],
  });
}

const IPV6_ROWS = [
  { ipv6_prefix: '2600:1f18::/33', region: 'us-east-1', service: 'EC2', network_border_group: 'us-east-1' },
];

function tryAws(t: Test, ...rows: readonly AwsRow[]): Promise<Trial> {
  return tryContents(t.testdir(), { [AWS]: awsText(rows) });
}

t.test('the border group gives the place, and the most specific prefix counts', async (t) => {
  const trial = await tryAws(
    t,
    ['15.0.0.0/10', 'AMAZON', 'us-west-2'],
    ['15.1.0.0/16', 'EC2', 'us-west-2-lax-1'],
    ['15.2.0.0/16', 'EC2', 'eu-central-1'],
  );
  const stated = { basis: 'cloud', statedBy: AWS };
  t.same(trial.claimAt('15.0.0.1'), { country: 'US', region: 'US-OR', ...stated });
  t.match(trial.claimAt('15.1.0.1'), { region: 'US-CA', cityName: 'Los Angeles', basis: 'cloud' });
  t.same(trial.claimAt('15.2.0.1'), { country: 'DE', cityName: 'Frankfurt', ...stated });
  t.match(trial.claimAt('2600:1f18::1'), { region: 'US-VA' });
  t.same(trial.tally(AWS).notes, {});
});

t.test('a file without border groups has the places of its regions', async (t) => {
  const row = { ip_prefix: '15.0.0.0/16', region: 'us-west-2', service: 'EC2' };
  const text = JSON.stringify({ prefixes: [row], ipv6_prefixes: IPV6_ROWS });
  t.match((await tryContents(t.testdir(), { [AWS]: text })).claimAt('15.0.0.1'), { region: 'US-OR' });
});

t.test('a prefix repeated for services of one region keeps its place', async (t) => {
  const trial = await tryAws(t, ['15.0.0.0/16', 'AMAZON', 'us-west-2'], ['15.0.0.0/16', 'EC2', 'us-west-2']);
  t.match(trial.claimAt('15.0.0.1'), { region: 'US-OR' });
  t.same(trial.tally(AWS).notes, { duplicate: 1 });
});

t.test('a prefix with services in different regions has no place', async (t) => {
  const trial = await tryAws(
    t,
    ['15.0.0.0/8', 'AMAZON', 'eu-west-1'],
    ['15.0.0.0/16', 'AMAZON', 'us-west-2'],
    ['15.0.0.0/16', 'EC2', 'us-east-1'],
    ['15.0.0.7/16', 'S3', 'us-west-2'],
  );
  t.equal(trial.claimAt('15.0.0.1'), undefined, 'nor that of the covering prefix');
  t.match(trial.claimAt('15.1.0.1'), { country: 'IE' });
  t.same(trial.tally(AWS).notes, { conflict: 3, duplicate: 2 });
});

t.test('servers in many places have no place, also in rows with a region', async (t) => {
  const edges = ['CLOUDFRONT', 'CLOUDFRONT_ORIGIN_FACING', 'GLOBALACCELERATOR', 'ROUTE53'] as const;
  for (const service of edges) {
    const rows: readonly AwsRow[] = [
      ['15.0.0.0/8', 'AMAZON', 'us-west-2'],
      ['15.0.0.0/16', 'AMAZON', 'us-west-2'],
      ['15.0.0.0/16', service, 'us-west-2'],
    ];
    for (const shuffled of [rows, [...rows].reverse()]) {
      t.equal((await tryAws(t, ...shuffled)).claimAt('15.0.0.1'), undefined, service);
    }
  }
  const services = ['AMAZON', 'EC2', 'S3', ...edges];
  const rows = services.map((service, i): AwsRow => [`15.${i}.0.0/16`, service, 'GLOBAL']);
  const trial = await tryAws(t, ...rows);
  const anycast = new Set(['GLOBALACCELERATOR', 'ROUTE53']);
  for (const [i, service] of services.entries())
    t.same(trial.claimAt(`15.${i}.0.1`), anycast.has(service) ? ANYCAST : undefined, service);
  t.same(trial.tally(AWS).notes, { unknown: services.length - anycast.size });
});

const ANYCAST = { basis: 'registration', anycast: 'stated' };

t.test('a network with an anycast row is anycast, whatever its other rows are', async (t) => {
  const rows: readonly AwsRow[] = [
    ['15.0.0.0/16', 'AMAZON', 'GLOBAL'],
    ['15.0.0.0/16', 'GLOBALACCELERATOR', 'GLOBAL'],
    ['15.0.0.0/16', 'EC2', 'us-west-2'],
    ['15.0.7.0/24', 'EC2', 'us-west-2'],
  ];
  for (const shuffled of [rows, [...rows].reverse()]) {
    const trial = await tryAws(t, ...shuffled);
    t.same(trial.claimAt('15.0.0.1'), ANYCAST);
    t.same(
      trial.claimAt('15.0.7.1'),
      { country: 'US', region: 'US-OR', basis: 'cloud', statedBy: AWS },
      'a region inside',
    );
    t.match(trial.tally(AWS).notes, { unknown: 1, conflict: 1 });
  }
});

t.test('a network without a stated place has that of weaker layers', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [AWS]: awsText([['15.0.0.0/16', 'CLOUDFRONT', 'GLOBAL']]),
    'whois-country/ipv4.tsv.gz': '15.0.0.0/8\tUS\n',
  });
  t.match(trial.claimAt('15.0.0.1'), { country: 'US', basis: 'registration' });
});

t.test('an unknown region is noted, never guessed', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [AWS]: awsText([['15.0.0.0/16', 'EC2', 'us-nowhere-1']]),
    [GOOGLE]: '{"prefixes":[{"ipv4Prefix":"34.80.0.0/15","service":"Google Cloud","scope":"us-nowhere1"}]}',
    [AZURE]: azureText({ AzureCloud: [], 'AzureCloud.nowhere': ['20.42.0.0/17'] }),
    [ORACLE]: oracleText('us-nowhere-1'),
  });
  for (const address of ['15.0.0.1', '34.80.0.1', '20.42.0.1', '129.144.0.1'])
    t.equal(trial.claimAt(address), undefined, address);
  for (const file of [AWS, GOOGLE, AZURE, ORACLE]) t.match(trial.tally(file).notes, { unresolved: 1 }, file);
});

t.test('the scope global of Google is anycast', async (t) => {
  const text = JSON.stringify({
    prefixes: [
      { ipv4Prefix: '35.184.0.0/13', scope: 'us-central1' },
      { ipv4Prefix: '35.190.0.0/18', scope: 'global' },
      { ipv6Prefix: '2600:1900:8000::/44', scope: 'africa-south1' },
      { ipv4Prefix: '34.64.0.0/10' },
    ],
  });
  const trial = await tryContents(t.testdir(), { [GOOGLE]: text });
  t.match(trial.claimAt('35.184.0.1'), { region: 'US-IA', cityName: 'Council Bluffs', basis: 'cloud' });
  t.match(trial.claimAt('2600:1900:8000::1'), { country: 'ZA', cityName: 'Johannesburg' });
  t.same(trial.claimAt('35.190.0.1'), ANYCAST);
  t.equal(trial.claimAt('34.64.0.1'), undefined, 'a row without a scope');
  t.same(trial.tally(GOOGLE).notes, { unknown: 1 });
});

t.test('Azure’s regions have places, Front Door and other tags have none', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [AZURE]: azureText({
      ActionGroup: ['4.145.74.52/30'],
      AzureCloud: ['20.42.0.0/17', '4.150.0.0/16'],
      'AzureCloud.eastus2': ['20.42.0.0/17'],
      'AzureCloud.uksouth': ['51.140.0.0/16', 7],
      'AzureCloud.eastus2euap': ['52.138.0.0/16'],
      'AzureFrontDoor.Frontend': [
        '20.42.4.112/29',
        '13.107.208.0/24',
        '2620:1ec:48::/48',
        '2620:1ec:49::/64',
      ],
      'AzureFrontDoor.Backend': ['147.243.0.0/16'],
      'AzureFrontDoor.FirstParty': ['13.107.4.0/22'],
    }),
  });
  for (const address of ['13.107.208.1', '2620:1ec:48::1']) t.same(trial.claimAt(address), ANYCAST, address);
  t.same(trial.claimAt('20.42.0.1'), { country: 'US', region: 'US-VA', basis: 'cloud', statedBy: AZURE });
  t.match(trial.claimAt('51.140.0.1'), { country: 'GB', cityName: 'London' });
  const without = ['20.42.4.113', '2620:1ec:49::1', '147.243.0.1', '13.107.4.1'];
  for (const address of [...without, '4.145.74.53', '4.150.0.1', '52.138.0.1'])
    t.equal(trial.claimAt(address), undefined, address);
  t.same(trial.tally(AZURE).notes, { skipped: 3, unknown: 5 });
  t.same(trial.rejections(AZURE), ['json@3']);
});

t.test('only the newest service tags are read, packed or not', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [AZURE]: azureText({ AzureCloud: [], 'AzureCloud.uksouth': ['20.42.0.0/17'] }),
    'cloud/ServiceTags_Public_20261123.json.gz': azureText({
      AzureCloud: [],
      'AzureCloud.ukwest': ['20.42.0.0/17'],
    }),
  });
  t.match(trial.claimAt('20.42.0.1'), { cityName: 'Cardiff' });
  t.same(trial.files, ['cloud/ServiceTags_Public_20261123.json.gz']);
});

t.test('Oracle’s regions have places', async (t) => {
  const trial = await tryContents(t.testdir(), { [ORACLE]: oracleText('us-phoenix-1') });
  t.match(trial.claimAt('129.144.0.1'), { region: 'US-AZ', cityName: 'Phoenix', basis: 'cloud' });
});

t.test('a row without a prefix is rejected, and a file with a too wide prefix is refused', async (t) => {
  const trial = await tryAws(t, ['15.0.0.0/33', 'EC2', 'us-west-2']);
  t.same(trial.rejections(AWS), ['address@1']);
  for (const prefix of ['0.0.0.0/0', '64.0.0.0/4', '2000::/3']) {
    const refused = tryAws(t, ['15.0.0.0/16', 'EC2', 'us-west-2'], [prefix, 'EC2', 'us-west-2']);
    await t.rejects(refused, { name: 'FeedError', refusal: 'too-wide', file: AWS }, prefix);
  }
});

t.test('a geofeed wins over a cloud for any length of prefixes', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [AWS]: awsText([['15.0.0.0/24', 'EC2', 'us-west-2']]),
    'own/geofeeds/a.csv': '15.0.0.0/16,CA,CA-NS,Sydney,\n',
  });
  t.match(trial.claimAt('15.0.0.1'), { cityName: 'Sydney', basis: 'geofeed' });
});

function azureText(tags: Readonly<Record<string, readonly unknown[]>>): string {
  const values = Object.entries(tags).map(([name, addressPrefixes]) => {
    return { name, id: name, properties: { addressPrefixes } };
  });
  return JSON.stringify({ changeNumber: 1, cloud: 'Public', values });
}

function oracleText(region: string): string {
  return JSON.stringify({ regions: [{ region, cidrs: [{ cidr: '129.144.0.0/16', tags: ['OCI'] }] }] });
}
