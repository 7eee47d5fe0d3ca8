import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { formatIpv4 } from '../net/address.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { describeInspection } from './describe-inspection.js';
import { describeNetwork } from './describe-network.js';
import { describePrefix } from './describe-route.js';
import { inspectNetwork, type NetworkInspection } from './inspect-network.js';
import { inspectPrefix, type PrefixInspection } from './inspect-route.js';
import { requireTarget } from './inspect-target.js';
import { inspectAddress, type Inspection } from './inspect.js';
import { ipatlas } from './testing/command-line.js';
import { releaseWith, type Datasets } from './testing/inspected-release.js';
import { UsageError } from './usage-error.js';

const OUTER = { prefix: '1.0.0.0/8', origin: 174, rpki: 'unknown', as_name: 'COGENT-174' };
const HIDDEN = {
  prefix: '1.1.0.0/23',
  origin: 13335,
  origins: [
    { asn: 13335, peers: 47, rpki: 'valid' },
    { asn: 38803, peers: 1, rpki: 'invalid' },
  ],
  rpki: 'valid',
  as_name: 'CLOUDFLARENET',
  as_country: 'US',
  upstreams: [
    { asn: 3356, count: 1200 },
    { asn: 99, count: 1 },
  ],
  neighbours: [{ asn: 3356, name: 'LEVEL3' }, { asn: 15169 }],
  line: 'CN2',
  parent: OUTER,
};
const ALLOCATION = {
  prefix: '1.1.0.0/23',
  country: 'AU',
  registry: 'apnic',
  status: 'assigned',
  registered_as: 13335,
};
const LEFT = { prefix: '1.1.0.0/24', origin: 5, parent: HIDDEN, allocation: ALLOCATION };
const RIGHT = {
  prefix: '1.1.1.0/24',
  origin: 13335,
  origins: [{ asn: 13335, peers: 1 }],
  parent: HIDDEN,
  allocation: { ...ALLOCATION, prefix: '1.1.1.0/24' },
  exchange: { id: 1, name: 'DE-CIX', city: 'Frankfurt', country: 'DE' },
};

const linked = (count: number): { asn: number; power: number; name: string }[] =>
  Array.from({ length: count }, (_, i) => ({ asn: 100 + i, power: 5000 - i, name: `NET-${i}` }));

const DATASETS: Datasets = {
  'routes.mmdb': {
    '1.0.0.0/8': OUTER,
    '1.1.0.0/24': LEFT,
    '1.1.1.0/24': RIGHT,
    '1.2.0.0/16': { allocation: { prefix: '1.2.0.0/16', registry: 'apnic', status: 'allocated' } },
    '2001:db8::/32': { prefix: '2001:db8::/32', origin: 4_200_000_000 },
  },
  'asn.mmdb': {
    '1.1.1.0/24': {
      autonomous_system_number: 13335,
      autonomous_system_organization: 'Cloudflare, Inc.',
      as_name: 'CLOUDFLARENET',
      as_domain: 'cloudflare.com',
      as_country: 'US',
    },
  },
  'networks.mmdb': {
    [formatIpv4(13335)]: {
      asn: 13335,
      name: 'CLOUDFLARENET',
      entity: 'Cloudflare, Inc.',
      country: 'US',
      registry: 'arin',
      status: 'assigned',
      date: '2010-07-14',
      in_use: true,
      ipv4_prefixes: ['1.0.0.0/24', '1.0.4.0/24', '1.0.5.0/24', '1.0.6.0/24', '1.0.7.0/24', '1.1.1.0/24'],
      ipv6_prefixes: ['2400:cb00::/32'],
      topology: {
        upstreams: [{ asn: 174, power: 9000, name: 'COGENT-174', power4: 9000 }],
        downstreams: linked(12),
        peers: [{ asn: 7, power: 1, uncertain: true }],
      },
      exchanges: [
        { id: 1, name: 'DE-CIX', city: 'Frankfurt', country: 'DE' },
        { id: 2, name: 'LINX' },
      ],
    },
    [formatIpv4(38803)]: { asn: 38803, name: 'WPL', in_use: false },
  },
};
const { outputDir, release } = releaseWith(t, DATASETS);

function address(text: string, from: Release = release): Inspection {
  const target = requireTarget(text);
  if (target.kind !== 'address') throw new Error(text);
  return inspectAddress(target, from);
}

function prefix(text: string, from: Release = release): PrefixInspection {
  const target = requireTarget(text);
  if (target.kind !== 'prefix') throw new Error(text);
  return inspectPrefix(target, from);
}

function network(text: string, from: Release = release): NetworkInspection {
  const target = requireTarget(text);
  if (target.kind !== 'network') throw new Error(text);
  return inspectNetwork(target, from);
}

t.test('a text is an address, a prefix or an AS number', (t) => {
  t.match(requireTarget('1.1.1.1'), { kind: 'address', family: 4 });
  t.match(requireTarget('::'), { kind: 'address', family: 6 });
  t.match(requireTarget('1.1.1.1/24'), { kind: 'prefix', family: 4, length: 120, hadHostBits: true });
  t.match(requireTarget('2001:db8::/32'), { kind: 'prefix', family: 6, length: 32, hadHostBits: false });
  for (const text of ['AS4134', 'as4134', 'As4134']) {
    t.strictSame(requireTarget(text), { kind: 'network', asn: 4134 });
  }
  t.strictSame(requireTarget('AS4294967295'), { kind: 'network', asn: 4294967295 });
  t.end();
});

t.test('any other text is a usage error, and a bare number gets a hint', (t) => {
  const refused: [string, RegExp][] = [
    ['13335', /for an AS number write AS13335/],
    ['AS4294967296', /expected AS0-AS4294967295/],
    ['AS 4134', /expected an IP address, a prefix or an AS number/],
    ['AS', /expected an/],
    ['AS-1', /expected an/],
    ['1.1.1.0/33', /expected an/],
    ['1.1.1/24', /expected an/],
    ['2001:db8::/129', /expected an/],
    ['', /expected an/],
  ];
  for (const [text, message] of refused) {
    t.throws(() => requireTarget(text), { name: UsageError.name, message }, text);
  }
  t.end();
});

t.test('an address shows its route, covering routes, allocation and exchange', (t) => {
  const text = describeInspection(address('1.1.1.1'));
  t.match(text, /^1\.1\.1\.1 in release /);
  t.match(text, /^merged +1\.0\.0\.0\/8 +AU /m);
  t.equal(
    text.slice(text.indexOf('route ')),
    [
      'route       1.1.1.0/24',
      'origin      AS13335 CLOUDFLARENET, seen by 1 peer',
      'covered by  1.1.0.0/23, AS13335 CLOUDFLARENET, RPKI valid',
      '            1.0.0.0/8, AS174 COGENT-174, RPKI unknown',
      'allocation  1.1.1.0/24, apnic, AU, assigned, registered with AS13335',
      '            CLOUDFLARENET',
      'exchange    DE-CIX (Frankfurt, DE)',
      'asn.mmdb    AS13335 CLOUDFLARENET, Cloudflare, Inc., cloudflare.com, US',
    ].join('\n'),
  );
  t.end();
});

t.test('an address may be allocated but not announced, or neither', (t) => {
  const allocated = describeInspection(address('1.2.3.4'));
  t.match(allocated, /\nroute +not announced\nallocation +1\.2\.0\.0\/16, apnic, allocated$/);
  t.match(describeInspection(address('9.9.9.9')), /\nroute +not announced$/);
  t.end();
});

t.test(':: is not 0.0.0.0, and IPv6 addresses in ::/96 have no IPv4 records', (t) => {
  const { release } = releaseWith(t, {
    'routes.mmdb': { '0.0.0.0/8': { prefix: '0.0.0.0/8', origin: 1 } },
  });
  const unspecified = address('::', release);
  t.equal(unspecified.ip, '::');
  t.equal(unspecified.routing?.route, undefined);
  t.equal(address('0.0.0.1', release).routing?.route?.origin, 1);
  t.equal(address('::1', release).routing?.route, undefined);
  t.equal(address('::1.2.3.4').geo, undefined);
  t.equal(address('::ffff:1.2.3.4').geo?.prefix, '::ffff:1.0.0.0/104', 'a mapped address has one');
  t.strictSame(prefix('::/8', release).routing, { names: {} });
  t.end();
});

t.test('a prefix is found even if more specific ones cover all of it', (t) => {
  const found = prefix('1.1.0.0/23');
  t.equal(found.routing?.announced?.prefix, '1.1.0.0/23');
  t.equal(found.routing?.coveredBy?.prefix, '1.0.0.0/8');
  t.equal(
    describePrefix(found),
    [
      `1.1.0.0/23 in release ${release.id}`,
      '',
      'route       1.1.0.0/23',
      'origin      AS13335 CLOUDFLARENET, US, seen by 47 peers, RPKI valid',
      '            AS38803 WPL, seen by 1 peer, RPKI invalid',
      'upstreams   AS3356 LEVEL3 (1,200), AS99 (1)',
      'neighbours  AS3356 LEVEL3, AS15169',
      'covered by  1.0.0.0/8, AS174 COGENT-174, RPKI unknown',
      'allocation  1.1.0.0/23, apnic, AU, assigned, registered with AS13335',
      '            CLOUDFLARENET',
      'line        CN2',
    ].join('\n'),
  );
  t.end();
});

t.test(
  'a prefix that is not announced shows its covering routes, and only allocations that contain all of it',
  (t) => {
    const inside = prefix('1.1.0.128/25');
    t.match(
      describePrefix(inside),
      /route +not announced with this length\ncovered by +1\.1\.0\.0\/24, AS5\n +1\.1\.0\.0\/23, AS13335 CLOUDFLARENET, RPKI valid\n +1\.0\.0\.0\/8, .*\nallocation +1\.1\.0\.0\/23,/,
    );
    const wider = prefix('1.1.0.0/16').routing;
    t.equal(wider?.announced, undefined);
    t.equal(wider?.coveredBy?.prefix, '1.0.0.0/8');
    t.equal(wider?.allocation, undefined);
    t.match(prefix('1.2.128.0/17').routing, { allocation: { prefix: '1.2.0.0/16' } });
    t.strictSame(prefix('9.0.0.0/8').routing, { names: {} });
    t.match(prefix('2001:db8::/32').routing, { announced: { origin: 4_200_000_000 } });
    t.match(prefix('2001:db8:1::/48').routing, { coveredBy: { prefix: '2001:db8::/32' } });
    t.end();
  },
);

t.test('host bits of a prefix are ignored, and the output says so', (t) => {
  const text = describePrefix(prefix('1.1.1.7/24'));
  t.match(text, /^1\.1\.1\.0\/24 in release \S+ \(host bits ignored\)\n/);
  t.match(text, /^route +1\.1\.1\.0\/24$/m);
  t.end();
});

t.test('an AS shows its profile, prefixes and neighbours', (t) => {
  const lines = describeNetwork(network('AS13335')).split('\n');
  t.strictSame(lines.slice(0, 11), [
    `AS13335 in release ${release.id}`,
    '',
    'name       CLOUDFLARENET',
    'entity     Cloudflare, Inc.',
    'country    US',
    'delegated  arin, assigned, 2010-07-14',
    'in use     yes',
    'IPv4       6 prefixes: 1.0.0.0/24, 1.0.4.0/24, 1.0.5.0/24, 1.0.6.0/24,',
    '           1.0.7.0/24, …',
    'IPv6       1 prefix: 2400:cb00::/32',
    'exchanges  2: DE-CIX (Frankfurt, DE), LINX',
  ]);
  const [head, upstream, downstreams, first] = lines.slice(12);
  t.match(head, /^upstreams +1$/);
  t.match(upstream, /^ +AS174 +COGENT-174 +9,000$/);
  t.match(downstreams, /^downstreams +12, first 10:$/);
  t.match(first, /^ +AS100 +NET-0 +5,000$/);
  t.equal(lines.filter((line) => line.includes('NET-')).length, 10);
  t.match(lines.at(-1), /^ +AS7 +- +1 +uncertain$/);
  t.end();
});

t.test('an AS without a record shows the reason', (t) => {
  t.match(describeNetwork(network('AS38803')), /\n\nname +WPL\nin use +no$/);
  t.match(describeNetwork(network('AS64512')), /\nprivate use \(RFC 6996\)/);
  t.match(describeNetwork(network('AS23456')), /\nreserved/);
  t.match(describeNetwork(network('AS77')), /\nnot delegated, and not in any route$/);
  t.end();
});

t.test('a release without routing datasets says so in one line', (t) => {
  const { release } = releaseWith(t, {});
  const [geo, why] = describeInspection(address('1.1.1.1', release)).split('\n\n').slice(1);
  t.match(geo, /^ +network.*\nmerged/);
  t.equal(why, 'country AU: confidence -');
  t.match(describeInspection(address('1.1.1.1', release)), /\n\nno routing datasets in this release$/);
  t.match(describePrefix(prefix('1.1.1.0/24', release)), /\n\nno routing datasets in this release$/);
  t.match(describeNetwork(network('AS1', release)), /\n\nno networks\.mmdb in this release$/);
  t.end();
});

t.test('a single routing dataset is enough for an answer', (t) => {
  const asns = releaseWith(t, { 'asn.mmdb': DATASETS['asn.mmdb']! }).release;
  t.match(describeInspection(address('1.1.1.1', asns)), /\nasn\.mmdb +AS13335 CLOUDFLARENET, Cloudflare/);
  const routes = releaseWith(t, { 'routes.mmdb': DATASETS['routes.mmdb']! }).release;
  t.match(
    describeInspection(address('1.1.1.1', routes)),
    /\norigin +AS13335 CLOUDFLARENET, seen by 1 peer\n/,
  );
  t.match(describePrefix(prefix('1.1.0.0/23', routes)), /\n +AS38803, seen/, 'an unknown name');
  t.end();
});

/** A release whose file was changed after it was written. */
function damagedRelease(t: Test, name: string, damage: (file: Buffer) => Buffer | undefined): Release {
  const { release } = releaseWith(t, DATASETS);
  const path = join(release.dir, name);
  const bytes = damage(readFileSync(path));
  if (bytes) writeFileSync(path, bytes);
  else rmSync(path);
  return release;
}

t.test('an unreadable file is an error with its name', (t) => {
  const damages: [string, (file: Buffer) => Buffer | undefined, RegExp][] = [
    ['geo.mmdb', () => Buffer.from('torn'), /geo\.mmdb: is damaged: at offset /],
    ['geo.mmdb', () => undefined, /geo\.mmdb: file not found/],
    ['routes.mmdb', (file) => file.subarray(0, file.length - 100), /routes\.mmdb: is damaged: /],
    ['routes.mmdb', (file) => file.subarray(file.length - 250), /routes\.mmdb: is damaged: .*node_count/],
    ['asn.mmdb', () => Buffer.alloc(0), /asn\.mmdb: is damaged: /],
    ['networks.mmdb', () => Buffer.alloc(100), /networks\.mmdb: is damaged: /],
  ];
  for (const [name, damage, message] of damages) {
    const release = damagedRelease(t, name, damage);
    t.throws(() => address('1.1.1.1', release), { name: ReleaseError.name, message });
  }
  t.end();
});

t.test('changed bytes give the same answer, another answer, or a ReleaseError', (t) => {
  const { release } = releaseWith(t, DATASETS);
  const path = join(release.dir, 'routes.mmdb');
  const whole = readFileSync(path);
  let refused = 0;
  for (let at = 0; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 0xff;
    writeFileSync(path, bytes);
    try {
      describePrefix(prefix('1.1.0.0/23', release));
    } catch (error) {
      refused++;
      if (!(error instanceof ReleaseError)) throw error;
    }
  }
  t.ok(refused > 0);
  t.end();
});

t.test('a record of another shape is an error with its network and field', (t) => {
  const release = damagedRelease(t, 'routes.mmdb', (file) =>
    Buffer.from(file.toString('latin1').replace('origin', 'oh, no'), 'latin1'),
  );
  t.doesNotThrow(() => address('1.1.1.1', release), 'an unknown key');
  const other = damagedRelease(t, 'asn.mmdb', (file) =>
    Buffer.from(file.toString('latin1').replace('as_domain', 'as_namexx'), 'latin1'),
  );
  t.doesNotThrow(() => address('1.1.1.1', other));
  const counts = releaseWith(t, DATASETS).release;
  writeFileSync(join(counts.dir, 'networks.mmdb'), readFileSync(join(counts.dir, 'geo.mmdb')));
  t.throws(() => network('AS16777217', counts), {
    name: ReleaseError.name,
    message: /networks\.mmdb: record of 1\.0\.0\.0\/8: asn: /,
  });
  t.end();
});

t.test('the command line prints text or JSON, with the usual exit codes', async (t) => {
  const run = (...args: readonly string[]) => ipatlas(t, { OUTPUT: outputDir }, 'inspect', ...args);
  const asText = await run('1.1.0.0/23');
  t.equal(asText.code, 0, asText.stderr);
  t.equal(asText.stdout, `${describePrefix(prefix('1.1.0.0/23'))}\n`);
  const asJson = await run('as13335', '--json');
  t.match(JSON.parse(asJson.stdout), { asn: 13335, routing: { network: { name: 'CLOUDFLARENET' } } });
  const mistake = await run('13335');
  t.equal(mistake.code, 64);
  t.equal(mistake.stderr, 'ipatlas: invalid target "13335": for an AS number write AS13335\n');
  const damaged = damagedRelease(t, 'networks.mmdb', () => Buffer.from('torn'));
  const { code, stderr } = await ipatlas(t, { OUTPUT: join(damaged.dir, '../..') }, 'inspect', 'AS1');
  t.equal(code, 1);
  t.match(stderr, /^ipatlas: .*networks\.mmdb: is damaged: at offset .*\n$/);
});
