import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader, type AsnResponse } from 'maxmind';
import t from 'tap';
import { geoip2, without } from '../mmdb/testing/oracles.js';
import { verifyMmdb } from '../mmdb/verify.js';
import type { PeeringDb } from '../registry/registries.js';
import { domainOfWebsite } from './asn-domain.js';
import { asnDataset, type AsnDataset } from './asn-records.js';
import type { RoutingDataset } from './parts.js';
import { datasetBytes } from './testing/dataset-bytes.js';
import { smallDirectory, partsOfRib } from './testing/rib-parts.js';
import { smallObservations } from './testing/small-parts.js';

const DIRECTORY = smallDirectory({
  identities: {
    13335: { name: 'CLOUDFLARENET', entity: 'Cloudflare, Inc.', country: 'US' },
    30: { name: 'THIRTY' },
    40: { name: 'FORTY', entity: 'Forty Ltd' },
  },
});
const PEERING_DB: PeeringDb = {
  networks: [
    { asn: 13335, name: 'Cloudflare', website: 'https://www.cloudflare.com/' },
    { asn: 30, name: 'Thirty', website: 'to be announced' },
  ],
  facilities: [],
  exchanges: [],
  exchangePrefixes: [],
  connections: [],
  routeServers: [],
};

const ROUTES = {
  '1.0.0.0/8': ['1 30'],
  '1.0.0.0/24': ['1 13335', '2 30', '3 13335'],
  '1.0.1.0/24': ['1 13335'],
  '1.0.2.0/24': ['1 {30,40}'],
  '2606:4700::/32': ['1 13335'],
  '2a00::/32': ['1 4199999999'],
};

function dataset(withDomains: boolean): RoutingDataset {
  return asnDataset(partsOfRib(ROUTES, withDomains ? { peeringDb: PEERING_DB } : {}), DIRECTORY);
}

const CLOUDFLARE = {
  autonomous_system_number: 13335,
  autonomous_system_organization: 'Cloudflare, Inc.',
  as_name: 'CLOUDFLARENET',
  as_country: 'US',
};

t.test('an address has the AS that announces the longest route around it', (t) => {
  const { schema, ...rest } = dataset(false);
  const bytes = datasetBytes({ schema, ...rest });
  t.same(verifyMmdb(bytes, { schema }).problems, []);
  const reader = new Reader<AsnResponse>(bytes);
  t.strictSame(reader.get('1.0.0.1'), CLOUDFLARE, 'the primary one of several origins');
  t.strictSame(reader.get('2606:4700::1'), CLOUDFLARE);
  t.strictSame(
    reader.get('1.1.0.0'),
    { autonomous_system_number: 30, autonomous_system_organization: 'THIRTY', as_name: 'THIRTY' },
    'the name replaces an unknown organization',
  );
  t.strictSame(reader.get('2a00::1'), { autonomous_system_number: 4_199_999_999 });
  t.equal(reader.get('1.0.2.1'), null, 'a route without an origin does not get the origin of its parent');
  t.equal(reader.get('2.0.0.1'), null);
  t.equal(reader.metadata.databaseType, 'ipatlas-ASN (compat=GeoLite2-ASN)');
  t.end();
});

t.test('adjacent routes of one origin are one network', (t) => {
  const reader = new Reader<AsnResponse>(datasetBytes(dataset(false)));
  t.equal(reader.getWithPrefixLength('1.0.1.1')[1], 23);
  t.end();
});

t.test('domains are those of PeeringDB', (t) => {
  const reader = new Reader<AsnResponse>(datasetBytes(dataset(true)));
  t.strictSame(reader.get('1.0.0.1'), { ...CLOUDFLARE, as_domain: 'cloudflare.com' });
  t.notOk('as_domain' in reader.get('1.1.0.0')!);
  const parts = partsOfRib(ROUTES);
  const noSource = new Reader<AsnResponse>(datasetBytes(asnDataset(parts, DIRECTORY)));
  t.strictSame(noSource.get('1.0.0.1'), CLOUDFLARE);
  t.end();
});

const OBSERVED = [
  smallObservations('geolite2', {
    '1.0.0.0/16': { asn: 40, organisation: 'Forty Ltd' },
    '2.0.0.0/24': { asn: 13335, organisation: 'CLOUDFLARE' },
  }),
  smallObservations('ipinfo', {
    '1.0.0.0/8': { asn: 50, organisation: 'Fifty' },
    '2.0.0.0/16': { asn: 40, organisation: 'Forty', domain: 'forty.example' },
  }),
];

t.test('an address without a route has the first observed AS, marked with its publisher', (t) => {
  const { schema, ...rest } = observedDataset();
  const bytes = datasetBytes({ schema, ...rest });
  t.same(verifyMmdb(bytes, { schema }).problems, []);
  const reader = new Reader<AsnResponse>(bytes);
  const forty = {
    autonomous_system_number: 40,
    autonomous_system_organization: 'Forty Ltd',
    as_name: 'FORTY',
    as_domain: 'forty.example',
  };
  t.strictSame(reader.get('1.0.0.1'), CLOUDFLARE, 'a route wins, and its record has no mark');
  t.strictSame(reader.get('1.0.1.1'), { ...forty, as_source: 'geolite2' });
  t.strictSame(reader.get('2.0.1.1'), { ...forty, as_source: 'ipinfo' });
  t.strictSame(
    reader.get('2.0.0.1'),
    { ...CLOUDFLARE, as_source: 'geolite2' },
    'the same names with and without a route',
  );
  t.match(reader.get('1.1.0.1'), { autonomous_system_number: 50, as_source: 'ipinfo' });
  t.equal(reader.get('3.0.0.1'), null);
  t.end();
});

t.test('a route without a known origin has the observed AS', (t) => {
  const reader = new Reader<AsnResponse>(datasetBytes(observedDataset()));
  t.match(reader.get('1.0.2.1'), { autonomous_system_number: 40, as_source: 'geolite2' });
  t.end();
});

t.test('without routes all ASes are observed', (t) => {
  const parts = partsOfRib({}, { observed: OBSERVED });
  const { sources } = asnDataset(parts, smallDirectory());
  t.same([...new Set(sources)].sort(), ['geolite2', 'ipinfo']);
  t.end();
});

function observedDataset(): AsnDataset {
  const routes = { '1.0.0.0/24': ['1 13335', '3 13335'], '1.0.2.0/24': ['1 {30,40}'] };
  return asnDataset(partsOfRib(routes, { observed: OBSERVED }), DIRECTORY);
}

t.test('geoip2 reads the records as its ASN model', { skip: without('geoip2') }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'asn-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'asn.mmdb');
  writeFileSync(path, datasetBytes(dataset(true)));
  t.strictSame(geoip2(path, 'asn', ['1.0.0.1', '1.1.0.0', '2a00::1', '1.0.2.1']), [
    { number: 13_335, organization: 'Cloudflare, Inc.' },
    { number: 30, organization: 'THIRTY' },
    { number: 4_199_999_999, organization: null },
    null,
  ]);
  t.end();
});

t.test('the domain of a website is the registrable domain', (t) => {
  const domains: Readonly<Record<string, string | undefined>> = {
    'https://www.cloudflare.com/': 'cloudflare.com',
    'http://peering.example.net:8080/policy?x=1': 'example.net',
    'www.Example.ORG': 'example.org',
    'https://www.bt.co.uk': 'bt.co.uk',
    'https://www.iij.ad.jp/en/': 'iij.ad.jp',
    'http://cnnic.net.cn': 'cnnic.net.cn',
    'https://de.example.co': 'example.co',
    'https://example.com.': 'example.com',
    'https://bücher.de/': 'xn--bcher-kva.de',
    'https://192.0.2.1/': undefined,
    'https://[2001:db8::1]/': undefined,
    'https://localhost/': undefined,
    'mailto:noc@example.net': undefined,
    'ftp://example.net/': undefined,
    'to be announced': undefined,
    '': undefined,
  };
  for (const [website, domain] of Object.entries(domains)) t.equal(domainOfWebsite(website), domain, website);
  t.end();
});
