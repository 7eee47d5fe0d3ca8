import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { formatDay } from '../lists/days.js';
import type { ListClaim } from '../lists/list-claim.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { ALLOWED_SPACE } from './allowed-space.js';
import type { Evidence } from './evidence-record.js';
import { evidenceDataset } from './evidence-dataset.js';
import { TODAY } from './testing/listings.js';
import { fileOf, listOf, originsOf, inputsOf } from './testing/isp-inputs.js';

type Found = Readonly<Record<string, Evidence>> & Response;

/** A claim with every field. */
const ALL: Required<ListClaim> = {
  type: 'VPN',
  evidence: 'confirmed',
  provider: 'NordVPN',
  usageType: 'DCH',
  isp: 'M247 Europe SRL',
  domain: 'm247.com',
  threats: ['SPAM', 'SCANNER'],
  fraudScore: 0,
  lastSeen: TODAY - 2,
  cloud: 'M247',
  service: 'rent',
  region: 'buh',
  isHosting: true,
  isEdge: true,
  carrier: 'telecom',
  allow: ['*'],
  isOwn: true,
};

t.test('evidence contains what each list says', (t) => {
  const dataset = evidenceDataset(
    inputsOf({
      lists: [
        listOf('ip2proxy', { '45.0.0.0/31': ALL }),
        listOf('tor', { '45.0.0.1/32': { type: 'TOR' } }, { day: TODAY - 40 }),
      ],
    }),
  );
  const bytes = fileOf(dataset);
  t.same(verifyMmdb(bytes, { schema: dataset.schema }).problems, []);
  const reader = new Reader<Found>(bytes);
  const all: Evidence = {
    type: 'VPN',
    evidence: 'confirmed',
    provider: 'NordVPN',
    usage_type: 'DCH',
    isp: 'M247 Europe SRL',
    domain: 'm247.com',
    threat: 'SPAM/SCANNER',
    fraud_score: 0,
    last_seen: formatDay(TODAY - 2),
    cloud: 'M247',
    service: 'rent',
    region: 'buh',
    is_hosting: true,
    is_edge: true,
    carrier: 'telecom',
    allow: ['*'],
    is_own: true,
  };
  t.strictSame(reader.get('45.0.0.0'), { ip2proxy: all });
  t.strictSame(reader.get('45.0.0.1'), {
    ip2proxy: all,
    tor: { type: 'TOR', last_seen: formatDay(TODAY - 40), is_expired: true },
  });
  t.equal(reader.get('45.0.0.2'), null);
  t.equal(reader.metadata.databaseType, 'ipatlas-Evidence');
  t.strictSame(dataset.counters, {
    'evidence.networks': 2 + ALLOWED_SPACE.flatMap(({ prefixes }) => prefixes).length,
  });
  t.end();
});

t.test('listings of an AS are at every network that it announces', (t) => {
  const spam = new Map([
    [64496, { threats: ['SPAM'] }],
    [64511, { threats: ['BOTNET'] }],
  ]);
  const dataset = evidenceDataset(
    inputsOf({
      lists: [
        listOf('tor', { '46.0.0.1/32': { type: 'TOR' } }),
        listOf('spamhaus', { '46.0.0.0/30': { threats: ['SPAM'] } }, { asns: spam, day: TODAY - 40 }),
        listOf('x4bnet', { '45.0.0.0/24': { type: 'VPN' }, '45.0.1.0/24': { type: 'VPN' } }),
      ],
      origins: originsOf({
        '46.0.0.0/16': { asn: 64496 },
        '47.0.0.0/16': { asn: 24940 },
        '45.0.0.0/24': { asn: 9009 },
        '48.0.0.0/16': { asn: 64500 },
      }),
    }),
  );
  const bytes = fileOf(dataset);
  t.same(verifyMmdb(bytes, { schema: dataset.schema }).problems, []);
  const reader = new Reader<Found>(bytes);
  const old = { threat: 'SPAM', last_seen: formatDay(TODAY - 40), is_expired: true };
  const today = formatDay(TODAY);
  t.strictSame(reader.get('46.0.0.1'), {
    tor: { type: 'TOR', last_seen: today },
    spamhaus: old,
    'spamhaus AS64496': { ...old, asn: 64496 },
  });
  t.strictSame(reader.get('46.0.9.9'), { 'spamhaus AS64496': { ...old, asn: 64496 } });
  t.strictSame(reader.get('47.0.0.1'), { 'hosting-networks AS24940': { cloud: 'Hetzner', asn: 24940 } });
  t.strictSame(reader.get('45.0.0.1'), { x4bnet: { type: 'VPN', last_seen: today, taken_for: 'DCH' } });
  t.strictSame(reader.get('45.0.1.1'), { x4bnet: { type: 'VPN', last_seen: today } });
  t.equal(reader.get('48.0.0.1'), null, 'an AS without listings');
  t.strictSame(reader.get('1.1.1.1'), { 'built-in-allow-list': { allow: ['*'] } });
  t.end();
});

t.test('ranges of inferred data centres that do not count in access networks are marked', (t) => {
  const dataset = evidenceDataset({
    lists: [
      listOf('x4bnet', {
        '45.0.0.0/15': { type: 'DCH', isHosting: true },
        '45.0.9.9/32': { type: 'VPN' },
      }),
      listOf('aws', { '45.0.1.0/24': { cloud: 'Amazon AWS' } }),
    ],
    origins: originsOf({ '45.0.0.0/16': { asn: 64496 }, '45.1.0.0/16': { asn: 64497 } }),
    uses: new Map([
      [64496, { usage: 'ISP', isAccess: true }],
      [64497, { usage: 'ISP', isAccess: false }],
    ]),
  });
  const bytes = fileOf(dataset);
  t.same(verifyMmdb(bytes, { schema: dataset.schema }).problems, []);
  const reader = new Reader<Found>(bytes);
  const today = formatDay(TODAY);
  const range = { type: 'DCH', is_hosting: true, last_seen: today };
  t.strictSame(reader.get('45.0.0.1'), { x4bnet: { ...range, dropped: 'access' } });
  t.strictSame(reader.get('45.0.1.1'), {
    aws: { cloud: 'Amazon AWS', last_seen: today },
    x4bnet: { ...range, dropped: 'access' },
  });
  t.strictSame(reader.get('45.0.9.9'), { x4bnet: { type: 'VPN', last_seen: today } });
  t.strictSame(reader.get('45.1.0.1'), { x4bnet: range });
  t.end();
});
