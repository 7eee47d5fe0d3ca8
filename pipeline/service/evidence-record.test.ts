import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { formatDay } from '../lists/days.js';
import type { ListClaim } from '../lists/list-claim.js';
import { verifyMmdb } from '../mmdb/verify.js';
import type { Evidence } from './evidence-record.js';
import { evidenceDataset } from './merge-service.js';
import { TODAY } from './testing/hits.js';
import { fileOf, listOf } from './testing/service-parts.js';

type Found = Readonly<Record<string, Evidence>> & Response;

/** Says something in every field. */
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

t.test('evidence tells which list said what', (t) => {
  const dataset = evidenceDataset([
    listOf('ip2proxy', { '45.0.0.0/31': ALL }),
    listOf('tor', { '45.0.0.1/32': { type: 'TOR' } }, { day: TODAY - 40 }),
  ]);
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
  t.strictSame(dataset.counters, { 'evidence.networks': 2 });
  t.end();
});
