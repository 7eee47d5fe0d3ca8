import t from 'tap';
import type { Manifest } from '../contract.js';
import { sha256Text } from '../digest.js';
import { exampleManifest } from '../testing/example-release.js';
import { tablesOf } from '../testing/report-tables.js';
import { counterName } from './named-counter.js';
import { renderReport } from './render-report.js';

const BUILT = 1_794_873_600;

function release(daysAgo: number, counters: Record<string, Record<string, number>>): Manifest {
  const made = Object.entries(counters).map(([name, of]) => [
    name,
    { key: sha256Text('key'), files: [], counters: of },
  ]);
  const datasets = Object.fromEntries(made) as NonNullable<Manifest['datasets']>;
  return { ...exampleManifest(BUILT - daysAgo * 86_400), datasets };
}

t.test('counters have names for people, in tables by subject', (t) => {
  const manifest = release(0, {
    routing: {
      vrps: 224,
      'routes.rpki.invalid': 16,
      'routes.dropped.tooLong': 4,
      'topology.ipv4.as-rank': 3,
    },
    isp: {
      'proxies.ipv4Addresses': 12_345_678,
      'types.TOR.networks': 2,
      'types.VPN.networks': 9,
      'types.VPN.ipv4Addresses': 300,
      'providers.Example.com Cloud.networks': 7,
      'lists.tor.hits': 10,
      'lists.x4bnet.hits': 30,
      'lists.x4bnet.dropped.edge': 2,
      'lists.x4bnet.dropped.newReason': 1,
    },
  });
  const last = release(1, { routing: { vrps: 250, 'routes.rpki.invalid': 16 } });
  const tables = tablesOf(renderReport({ manifest, last }));
  t.same(tables['Routing table'], [
    ['Counter', 'Count', 'Change'],
    ['validated ROA payloads (VRPs)', '224', '−26 (10.4 %)'],
    ['RPKI invalid', '16', 'same'],
  ]);
  t.same(tables['Prefixes dropped'], [
    ['Reason', 'Count'],
    ['too long', '4'],
  ]);
  t.same(tables['Links by inference method'], [
    ['Family', 'AS-Rank'],
    ['IPv4', '3'],
  ]);
  t.same(tables['Proxies and clouds'], [
    ['Counter', 'Count'],
    ['IPv4 addresses of proxies', '12.3 M'],
  ]);
  t.same(tables['Types of addresses'], [
    ['Type', 'Networks', 'IPv4 addresses'],
    ['VPN server (VPN)', '9', '300'],
    ['Tor exit (TOR)', '2', ''],
  ]);
  t.same(tables['Cloud providers'], [
    ['Cloud', 'Networks'],
    ['Example.com Cloud', '7'],
  ]);
  t.same(tables['Lists'], [
    ['List', 'Networks found', 'Dropped: edge of a CDN', 'dropped: new reason'],
    ['x4bnet', '30', '2', '1'],
    ['tor', '10', '', ''],
  ]);
  t.end();
});

t.test('a counter without a name is shown in words, and in grids the change is below the count', (t) => {
  const now = release(0, { isp: { 'some.newCounter': 3, vrps2: 1, 'types.TOR.networks': 5 } });
  const last = release(1, { isp: { 'types.TOR.networks': 4 } });
  const tables = tablesOf(renderReport({ manifest: now, last }));
  t.same(tables['Other counters'], [
    ['Counter', 'Count', 'Change'],
    ['some: new counter', '3', 'new'],
    ['vrps2', '1', 'new'],
  ]);
  t.same(tables['Types of addresses'], [
    ['Type', 'Networks'],
    ['Tor exit (TOR)', '5 +1 (25 %)'],
  ]);
  t.same(tables['Largest changes of counters (1 of 1)']![1]!.slice(0, 3), [
    'Types of addresses: Tor exit (TOR), Networks',
    '5',
    '4',
  ]);
  t.end();
});

t.test('names of counters that are properties of every object are not looked up there', (t) => {
  t.equal(counterName('constructor'), 'constructor');
  t.equal(counterName('types.constructor.toString'), 'Types of addresses: constructor, to string');
  t.equal(counterName('types.'), 'types: ', 'no row and no column');
  t.equal(counterName('routes.dropped.visibility'), 'Prefixes dropped: seen by too few peers');
  t.end();
});
