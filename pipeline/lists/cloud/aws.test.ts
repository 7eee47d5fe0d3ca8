import t from 'tap';
import { AWS } from './aws.js';
import {
  countAddresses,
  fixtureText,
  inMillions,
  publishedText,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

const NAME = 'ip-ranges.json';

t.test('a prefix has its most specific service', async (t) => {
  const trial = await tryFixtures(AWS, NAME);
  const aws = { cloud: 'Amazon AWS', usageType: 'DCH' };
  t.same(trial.claimAt('3.5.140.1'), { ...aws, service: 'S3', region: 'ap-northeast-2' });
  t.same(trial.claimAt('3.80.0.1'), { ...aws, service: 'EC2', region: 'us-east-1' });
  t.same(trial.claimAt('15.193.0.1'), { ...aws, service: 'AMAZON_CONNECT', region: 'GLOBAL' });
  t.same(trial.claimAt('2600:1f18::1'), { ...aws, service: 'EC2', region: 'us-east-1' });
  const edge = { cloud: 'Amazon AWS', usageType: 'CDN', isEdge: true, region: 'GLOBAL' };
  t.same(trial.claimAt('52.84.0.1'), { ...edge, service: 'CLOUDFRONT' });
  t.same(trial.claimAt('64.252.64.1'), { ...edge, service: 'CLOUDFRONT_ORIGIN_FACING' });
  t.equal(trial.claimAt('9.9.9.9'), undefined);
  const { rejected, notes } = trial.tally('cloud/ip-ranges.json');
  t.equal(rejected, 0);
  t.same(Object.keys(notes), ['conflict'], 'prefixes that are repeated with another service');
});

t.test('the more specific of nested prefixes is used, unless its only service is AMAZON', async (t) => {
  const trial = await tryFixtures(AWS, NAME);
  t.match(trial.claimAt('3.80.16.1'), { service: 'CHIME_VOICECONNECTOR' });
  t.match(trial.claimAt('3.83.168.1'), { service: 'EC2' }, 'AMAZON alone inside of EC2');
  t.match(trial.claimAt('15.193.3.1'), { service: 'AMAZON_CONNECT', region: 'ap-southeast-2' });
  t.match(trial.claimAt('64.252.69.1'), { service: 'EC2', usageType: 'DCH' }, 'EC2 inside of CLOUDFRONT');
  t.equal(trial.claimAt('64.252.69.1')?.isEdge, undefined);
  t.match(trial.claimAt('2600:1f18:3fff:f800::1'), { service: 'ROUTE53_HEALTHCHECKS' });
});

t.test('the order of the rows does not matter', async (t) => {
  const document = JSON.parse(fixtureText(NAME)) as Record<'prefixes' | 'ipv6_prefixes', unknown[]>;
  document.prefixes.reverse();
  document.ipv6_prefixes.reverse();
  const straight = await tryFixtures(AWS, NAME);
  const reversed = await tryText(t, AWS, NAME, JSON.stringify(document));
  for (const address of ['3.5.140.1', '3.80.16.1', '64.252.64.1', '64.252.69.1', '2600:1f18::1']) {
    t.same(reversed.claimAt(address), straight.claimAt(address), address);
  }
});

t.test('an invalid row is rejected without affecting others', async (t) => {
  const rows = [
    { ip_prefix: '3.5.140.0/22', region: 'x', service: 'S3' },
    { ip_prefix: '3.5.140.0/33', region: 'x', service: 'S3' },
    { ip_prefix: '10.0.0.0/16', region: 'x', service: 'S3' },
    { ip_prefix: 7, region: 'x', service: 'S3' },
    { ip_prefix: '3.5.144.0/23', region: 'x' },
    { ip_prefix: '3.5.148.1/23', region: '', service: 'S3' },
    null,
  ];
  const ipv6 = [{ ipv6_prefix: '2600:1f18::/33', region: 'x', service: 'EC2' }];
  const trial = await tryText(t, AWS, NAME, JSON.stringify({ prefixes: rows, ipv6_prefixes: ipv6 }));
  t.same(trial.rejections('cloud/ip-ranges.json'), ['address@2', 'json@4', 'json@5', 'json@7', 'reserved@3']);
  const tally = trial.tally('cloud/ip-ranges.json');
  t.equal(tally.rows, rows.length + ipv6.length);
  t.equal(tally.notes['host-bits'], 1);
  t.same(trial.claimAt('3.5.149.1'), { cloud: 'Amazon AWS', usageType: 'DCH', service: 'S3' }, 'no region');
});

t.test('a damaged file is refused', (t) => refusesDamaged(t, AWS, NAME, '3.80.0.0/12'));

t.test('the real file of Amazon', { skip: withoutPublished(NAME) }, async (t) => {
  const trial = await tryPublished(AWS, NAME);
  const { rows, rejected, notes } = trial.tally('cloud/ip-ranges.json');
  t.same({ rows, rejected }, { rows: 10_668 + 6_160, rejected: 0 });
  t.same(
    notes,
    { conflict: 967 },
    'rows with a prefix that an earlier row has for a service other than AMAZON',
  );
  const { prefixes } = JSON.parse(publishedText(NAME)) as { prefixes: { ip_prefix: string }[] };
  const distinct = new Set(prefixes.map(({ ip_prefix }) => ip_prefix));
  t.equal(distinct.size, 7_905);
  t.same(
    [...distinct].filter((prefix) => trial.claimAt(prefix.replace(/\/.*/, '')) === undefined),
    [],
    'each of them has a claim',
  );
  t.equal(inMillions(countAddresses(trial)), 101.8, 'not the 188.1 that the rows add up to');
  const edge = countAddresses(trial, ({ usageType, isEdge }) => usageType === 'CDN' && isEdge === true);
  t.equal(edge, EDGE_ADDRESSES);
  t.equal(
    countAddresses(trial, ({ cloud }) => cloud === 'Amazon AWS'),
    countAddresses(trial),
  );
  t.match(trial.claimAt('3.5.140.1'), { service: 'S3', region: 'ap-northeast-2' });
  t.match(trial.claimAt('99.77.130.1'), { service: 'EC2', region: 'us-west-2' });
});

/** The addresses of CLOUDFRONT, without the prefixes of other services inside. */
const EDGE_ADDRESSES = 4_210_309;
