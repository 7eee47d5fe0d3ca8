import t from 'tap';
import type { CanaryResult } from './canaries.js';
import type { Coverage, Gate, Manifest, ManifestInput } from './contract.js';
import { acceptGates, isAcceptable } from './gate-names.js';
import { failedGates, judgeRelease, type GateFigures } from './gates.js';
import {
  datasetsWith,
  exampleFile,
  exampleInput,
  exampleManifest,
  exampleScorecard,
} from './testing/example-release.js';

const OK = { passed: true, found: 'all' };
const RIGHT: CanaryResult[] = [{ ip: '8.8.8.8', passed: true, found: 'US', expected: 'US' }];

function figures(rows: Record<string, number>, coverage: Partial<Coverage> = {}): GateFigures {
  return {
    tree: OK,
    schema: OK,
    inputs: Object.entries(rows).map(([feed, accepted]) => exampleInput(feed, accepted)),
    files: [exampleFile('geo', coverage)],
    seriesOf: (id) => id.replace(/_\d+/, ''),
  };
}

function release(rows: Record<string, number>, coverage: Partial<Coverage> = {}): Manifest {
  const { inputs, files } = figures(rows, coverage);
  return { ...exampleManifest(100), inputs: [...inputs], files: [...files] };
}

function gateOf(name: string, candidate: GateFigures, last?: Manifest): Gate {
  return judgeRelease(candidate, last, RIGHT).find((gate) => gate.name === name)!;
}

t.test('a release like the last one passes all five gates', (t) => {
  const gates = judgeRelease(figures({ own: 100 }), release({ own: 100 }), RIGHT);
  t.same(
    gates.map(({ name }) => name),
    ['tree verifies', 'row counts', 'coverage', 'canaries', 'schema'],
  );
  t.same(failedGates(gates), []);
  for (const gate of gates) t.ok(gate.found !== '' && gate.bound !== '', gate.name);
  t.end();
});

t.test('the first release passes without a comparison', (t) => {
  const gates = judgeRelease(figures({ own: 100 }), undefined, RIGHT);
  t.same(failedGates(gates), []);
  t.equal(gates[1]?.found, 'no release to compare with');
  t.equal(gates[2]?.found, 'no release to compare with');
  t.end();
});

t.test('a failure of the verifier fails the gate with its text', (t) => {
  const wrong = { passed: false, found: 'node 7 is reached twice' };
  const tree = judgeRelease({ ...figures({ own: 1 }), tree: wrong }, undefined, RIGHT);
  t.match(failedGates(tree), [{ name: 'tree verifies', found: 'node 7 is reached twice' }]);
  const schema = judgeRelease({ ...figures({ own: 1 }), schema: wrong }, undefined, RIGHT);
  t.match(failedGates(schema), [{ name: 'schema', found: 'node 7 is reached twice' }]);
  t.end();
});

t.test('the rows of a feed may fall to half and grow to three times', (t) => {
  const last = release({ own: 1000, geolite2: 2000 });
  const cases: [number, boolean][] = [
    [499, false],
    [500, true],
    [3000, true],
    [3001, false],
    [0, false],
  ];
  for (const [rows, passed] of cases) {
    t.equal(gateOf('row counts', figures({ own: rows, geolite2: 2000 }), last).passed, passed, `${rows}`);
  }
  const gate = gateOf('row counts', figures({ geolite2: 2000, own: 499 }), last);
  t.equal(gate.found, 'own rows 499 (49.9 % of 1,000)', 'only the failed finding is listed');
  t.equal(gate.bound, 'accepted rows of each feed 50 % to 300 % of the last release, without new files');
  t.end();
});

t.test('added and removed feeds are reported, and do not relax the bounds of the others', (t) => {
  const last = release({ own: 1000, dbip: 50 });
  const fine = gateOf('row counts', figures({ own: 1000, ipinfo: 7 }), last);
  t.ok(fine.passed);
  t.equal(
    fine.found,
    'own rows 1,000 (100 % of 1,000); ipinfo is new: 7 rows; dbip was removed: it had 50 rows',
  );
  t.notOk(gateOf('row counts', figures({ own: 10, ipinfo: 9000 }), last).passed);
  t.end();
});

/** One feed with several files: accepted rows by file id. */
function inputOf(feed: string, rows: Record<string, number>): ManifestInput {
  const input = exampleInput(feed, 0);
  const files = Object.entries(rows).map(([id, accepted]) => ({ ...input.files[0]!, id, accepted }));
  return { ...input, files };
}

t.test('rows of a file that the last release did not have do not count against the upper bound', (t) => {
  const last = { ...release({}), inputs: [inputOf('own', { 'own/whois.tsv': 1000 })] };
  const judge = (rows: Record<string, number>) =>
    gateOf('row counts', { ...figures({}), inputs: [inputOf('own', rows)] }, last);
  t.match(judge({ 'own/whois.tsv': 1000, 'rir/apnic': 9000 }), {
    passed: true,
    found: 'own rows 10,000 (1000 % of 1,000, 9,000 of it from new feeds or files)',
  });
  t.notOk(
    judge({ 'own/whois.tsv': 3001, 'rir/apnic': 9000 }).passed,
    'the bounds of the others are unchanged',
  );
  t.notOk(judge({ 'rir/apnic': 499 }).passed, 'the lower bound is unchanged');
  t.end();
});

t.test('the next issue of a dated file is not new', (t) => {
  const last = { ...release({}), inputs: [inputOf('geolite2', { 'geolite2/City_20261117.zip': 1000 })] };
  const inputs = [inputOf('geolite2', { 'geolite2/City_20261124.zip': 3001 })];
  t.notOk(gateOf('row counts', { ...figures({}), inputs }, last).passed);
  t.end();
});

t.test('space decided by a new feed or file does not count against the upper bound of coverage', (t) => {
  const last = { ...release({}, { ipv4Addresses: 1000 }), inputs: [inputOf('own', { 'own/a': 5 })] };
  const judge = (byFeed: Record<string, number>, inputs: ManifestInput[]) => {
    const ipv4Addresses = Object.values(byFeed).reduce((sum, count) => sum + count, 0);
    const file = exampleFile('geo', { ipv4Addresses });
    for (const [feed, count] of Object.entries(byFeed)) {
      file.coverageByFeed[feed] = { networks: 1, ipv4Addresses: count, ipv6Slash64s: 0 };
    }
    return gateOf('coverage', { ...figures({}), inputs, files: [file] }, last);
  };
  const own = inputOf('own', { 'own/a': 5 });
  const grownOwn = inputOf('own', { 'own/a': 5, 'rir/apnic': 5 });
  const geolite2 = inputOf('geolite2', { 'geolite2/City_20261117.zip': 9 });
  const returned = judge({ own: 900, geolite2: 9000 }, [own, geolite2]);
  t.ok(returned.passed, 'a feed is back');
  t.match(
    returned.found,
    'geo.mmdb IPv4 addresses 9,900 (990 % of 1,000, 9,000 of it from new feeds or files)',
  );
  t.ok(judge({ own: 9000 }, [grownOwn]).passed, 'a file is back');
  t.notOk(judge({ own: 9000 }, [own]).passed, 'nothing is new');
  t.notOk(
    judge({ own: 1501, geolite2: 9000 }, [own, geolite2]).passed,
    'the bounds of the others are unchanged',
  );
  t.notOk(judge({ own: 100, geolite2: 849 }, [own, geolite2]).passed, 'the lower bound is unchanged');
  t.end();
});

t.test('a feed without a used file counts as removed, and no feeds at all fail', (t) => {
  const last = release({ own: 1000, dbip: 50 });
  const candidate = figures({ own: 1000, dbip: 50 });
  const inputs = candidate.inputs.map((input) => (input.feed === 'dbip' ? { ...input, files: [] } : input));
  t.match(gateOf('row counts', { ...candidate, inputs }, last), { passed: true, found: /dbip was removed/ });
  const none = inputs.map((input) => ({ ...input, files: [] }));
  for (const before of [last, undefined]) {
    t.match(gateOf('row counts', { ...candidate, inputs: none }, before), {
      passed: false,
      found: 'no feeds were read',
    });
  }
  t.end();
});

t.test('coverage may shrink by 5 % and grow by half, in each family', (t) => {
  const last = release({ own: 1 }, { ipv4Addresses: 1000, ipv6Slash64s: 1000 });
  for (const [figure, name] of [
    ['ipv4Addresses', 'IPv4 addresses'],
    ['ipv6Slash64s', 'IPv6 /64s'],
  ] as const) {
    for (const [value, passed] of [
      [949, false],
      [950, true],
      [1500, true],
      [1501, false],
    ] as const) {
      const coverage = { ipv4Addresses: 1000, ipv6Slash64s: 1000, [figure]: value };
      const gate = gateOf('coverage', figures({ own: 1 }, coverage), last);
      t.equal(gate.passed, passed, `${figure} ${value}`);
      t.match(gate.found, `geo.mmdb ${name} ${value.toLocaleString('en-US')} (${value / 10} % of 1,000)`);
    }
  }
  t.end();
});

t.test('a new address family passes without a bound, and a lost family fails', (t) => {
  const last = release({ own: 1 }, { ipv4Addresses: 1000, ipv6Slash64s: 0 });
  const more = gateOf('coverage', figures({ own: 1 }, { ipv4Addresses: 1000, ipv6Slash64s: 9 }), last);
  t.match(more, { passed: true, found: /IPv6 \/64s 9 \(none in the last release\)/ });
  t.notOk(gateOf('coverage', figures({ own: 1 }, { ipv4Addresses: 0, ipv6Slash64s: 0 }), last).passed);
  t.end();
});

t.test('a new dataset is reported, a missing one fails', (t) => {
  const candidate = figures({ own: 1 });
  const asn = { ...candidate.files[0]!, name: 'asn.mmdb' };
  t.match(gateOf('coverage', { ...candidate, files: [...candidate.files, asn] }, release({ own: 1 })), {
    passed: true,
    found: /asn\.mmdb is new/,
  });
  t.match(gateOf('coverage', { ...candidate, files: [asn] }, release({ own: 1 })), {
    passed: false,
    found: /^geo.mmdb is missing/,
  });
  t.end();
});

t.test('a wrong canary fails by name, and so does a lack of canaries', (t) => {
  const wrong = { ip: '1.0.1.1', passed: false, found: 'US', expected: 'CN' };
  const judge = (results: CanaryResult[]) =>
    failedGates(judgeRelease(figures({ own: 1 }), undefined, results));
  t.match(judge([...RIGHT, wrong]), [{ name: 'canaries', found: '1.0.1.1: US, expected CN' }]);
  t.match(judge([]), [{ name: 'canaries', found: 'no canaries were looked up' }]);
  t.end();
});

t.test('a person may overrule the gates that compare, by name, and never the verifier', (t) => {
  const wrong = { passed: false, found: 'node 7 is reached twice' };
  const candidate = { ...figures({ own: 10 }), tree: wrong, schema: wrong };
  const gates = judgeRelease(candidate, release({ own: 1000 }), []);
  const names = (list: readonly Gate[]) => list.map(({ name }) => name);
  t.same(names(failedGates(gates)), ['tree verifies', 'row counts', 'canaries', 'schema']);
  t.same(names(gates.filter(isAcceptable)), ['row counts', 'coverage', 'canaries']);
  const accepted = acceptGates(gates, ['row counts', 'coverage']);
  t.same(names(failedGates(accepted)), ['tree verifies', 'canaries', 'schema']);
  t.match(accepted[1], { found: /^own rows 10 .* \(accepted by hand\)$/ });
  t.equal(accepted[2], gates[2], 'a gate that passed by itself is unchanged');
  t.end();
});

t.test('a real release is not compared with fixtures, and fixtures never replace a real release', (t) => {
  const real = { ...figures({ own: 1_000_000 }, { ipv4Addresses: 3e9 }), source: 'folder' as const };
  const small = { ...figures({ own: 10 }), source: 'fixtures' as const };
  const ofFixtures: Manifest = { ...release({ own: 10 }), source: 'fixtures' };
  const ofReal: Manifest = { ...release({ own: 1_000_000 }, { ipv4Addresses: 3e9 }), source: 'folder' };
  t.match(
    judgeRelease(real, ofFixtures, RIGHT)[1]?.found,
    /not compared: the last release, .*, is built from fixtures/,
  );
  t.same(failedGates(judgeRelease(real, ofFixtures, RIGHT)), []);
  t.same(
    failedGates(judgeRelease(small, ofReal, RIGHT)).map(({ name }) => name),
    ['row counts', 'coverage'],
  );
  t.same(failedGates(judgeRelease(small, ofFixtures, RIGHT)), []);
  const fewer = { ...figures({ own: 4 }, { ipv4Addresses: 1 }), source: 'fixtures' as const };
  t.same(
    failedGates(judgeRelease(fewer, ofFixtures, RIGHT)).map(({ name }) => name),
    ['row counts', 'coverage'],
    'a release from fixtures is compared with the last one from fixtures',
  );
  t.notOk(
    gateOf('row counts', small, release({ own: 1 })).passed,
    'a release without a known source is compared',
  );
  t.end();
});

/** Returns figures with these counters of a routing table from these dumps. */
function withRoutes(counters: Record<string, number>, dumps = ['rib/rrc00/bview_1.gz']) {
  const files = ['routes.mmdb'];
  const datasets = { routing: { key: 'k', files, counters } };
  const rows = Object.fromEntries(dumps.map((id) => [id, 100]));
  return { ...figures({}), inputs: [inputOf('rib', rows)], datasets };
}
const TABLE = { 'routes.ipv4': 1000, 'routes.ipv6': 200, 'rib.vantagePoints': 50 };
const lastRoutes = (candidate: ReturnType<typeof withRoutes>): Manifest => {
  const { inputs, datasets } = candidate;
  return { ...release({}), inputs: [...inputs], datasets };
};

t.test(
  'prefixes may change by 3 %, in each family, and a fifth of the vantage points may be missing',
  (t) => {
    const last = lastRoutes(withRoutes(TABLE));
    for (const [counter, value, passed] of [
      ['routes.ipv4', 969, false],
      ['routes.ipv4', 970, true],
      ['routes.ipv4', 1030, true],
      ['routes.ipv4', 1031, false],
      ['routes.ipv6', 193, false],
      ['routes.ipv6', 207, false],
      ['rib.vantagePoints', 39, false],
      ['rib.vantagePoints', 40, true],
      ['rib.vantagePoints', 500, true],
    ] as const) {
      const judged = gateOf('routing table', withRoutes({ ...TABLE, [counter]: value }), last);
      t.equal(judged.passed, passed, `${counter} ${value}`);
    }
    const judged = gateOf('routing table', withRoutes({ ...TABLE, 'routes.ipv4': 900 }), last);
    t.equal(judged.found, 'IPv4 prefixes 900 (90 % of 1,000)');
    t.match(judged.bound, /97 % to 103 %.*at least 80 %/);
    t.ok(isAcceptable(judged));
    t.end();
  },
);

t.test('a new collector may add prefixes, the next dump of a known one may not', (t) => {
  const last = lastRoutes(withRoutes(TABLE));
  const grown = { ...TABLE, 'routes.ipv4': 1100 };
  const old = 'rib/rrc00/bview_2.gz';
  t.notOk(gateOf('routing table', withRoutes(grown, [old]), last).passed);
  t.ok(gateOf('routing table', withRoutes(grown, [old, 'rib/rrc12/bview_2.gz']), last).passed);
  const shrunk = { ...TABLE, 'routes.ipv4': 900 };
  t.notOk(gateOf('routing table', withRoutes(shrunk, [old, 'rib/rrc12/bview_2.gz']), last).passed);
  t.end();
});

t.test('a first routing table passes; without a routing table its gate is absent', (t) => {
  const old = release({ own: 1 });
  t.match(gateOf('routing table', withRoutes(TABLE), old), { passed: true, found: /has no routing table/ });
  t.match(gateOf('routing table', withRoutes(TABLE)), { passed: true, found: /no release to compare/ });
  const [none, observed] = [withRoutes(TABLE), withRoutes(TABLE)];
  none.datasets.routing.files = [];
  observed.datasets.routing.files = ['asn.mmdb'];
  for (const candidate of [figures({ own: 1 }), none, observed]) {
    t.equal(gateOf('routing table', candidate, lastRoutes(withRoutes(TABLE))), undefined);
  }
  const before = lastRoutes(observed);
  t.match(gateOf('routing table', withRoutes(TABLE), before), {
    passed: true,
    found: /has no routing table/,
  });
  t.end();
});

t.test('a missing index fails, and 32-bit keys are compared by count', (t) => {
  const { terms, attributions, sizeBytes, sha256 } = exampleFile('x');
  const peering = { name: 'peering.json', kind: 'index' as const, sources: [], terms, attributions };
  const last = { ...release({ own: 1 }), indexes: [{ ...peering, sizeBytes, sha256 }] };
  t.match(gateOf('coverage', figures({ own: 1 }), last), {
    passed: false,
    found: 'peering.json is missing',
  });
  const candidate = figures({ own: 1 });
  t.ok(gateOf('coverage', { ...candidate, indexes: last.indexes }, last).passed);
  const networks = (count: number) => {
    const coverage = { networks: count, ipv4Addresses: count, ipv6Slash64s: 0 };
    return { ...exampleFile('x', coverage), name: 'networks.mmdb', ipVersion: 4 as const };
  };
  const judge = (now: number) =>
    gateOf(
      'coverage',
      { ...candidate, files: [networks(now)] },
      { ...release({ own: 1 }), files: [networks(1000)] },
    );
  t.match(judge(949), { passed: false, found: 'networks.mmdb keys 949 (94.9 % of 1,000)' });
  t.ok(judge(950).passed);
  t.end();
});

/** Returns figures with these counters of an ISP dataset from lists with these files. */
function withProxies(counters: Record<string, number>, files = ['tor/exits']) {
  const datasets = { isp: { key: 'k', files: ['isp.mmdb'], counters } };
  const inputs = [inputOf('tor', Object.fromEntries(files.map((id) => [id, 100])))];
  return { ...figures({}), inputs, datasets, lists: new Set(['tor']) };
}
const PROXIES = {
  'proxies.ipv4Addresses': 100_000,
  'proxies.networks': 5000,
  'types.VPN.ipv4Addresses': 90_000,
  'types.TOR.ipv4Addresses': 1000,
  'types.RES.ipv4Addresses': 999,
};
const lastProxies = ({ inputs, datasets }: ReturnType<typeof withProxies>): Manifest => {
  return { ...release({}), inputs: [...inputs], datasets };
};

t.test('proxies may halve or double, a large type may change to a fifth or five times', (t) => {
  const last = lastProxies(withProxies(PROXIES));
  for (const [counter, value, passed] of [
    ['proxies.ipv4Addresses', 49_999, false],
    ['proxies.ipv4Addresses', 50_000, true],
    ['proxies.ipv4Addresses', 200_000, true],
    ['proxies.ipv4Addresses', 200_001, false],
    ['proxies.networks', 2499, false],
    ['types.TOR.ipv4Addresses', 199, false],
    ['types.TOR.ipv4Addresses', 5001, false],
    ['types.TOR.ipv4Addresses', 5000, true],
    ['types.RES.ipv4Addresses', 0, true],
    ['types.WEB.ipv4Addresses', 90_000, true],
  ] as const) {
    const judged = gateOf('proxies', withProxies({ ...PROXIES, [counter]: value }), last);
    t.equal(judged.passed, passed, `${counter} ${value}`);
  }
  const withoutTor = Object.fromEntries(Object.entries(PROXIES).filter(([name]) => !name.includes('TOR')));
  const judged = gateOf('proxies', withProxies(withoutTor), last);
  t.equal(judged.found, 'TOR addresses 0 (0 % of 1,000)');
  t.match(judged.bound, /50 % to 200 %.*20 % to 500 %/);
  const less = withProxies({ ...PROXIES, 'proxies.ipv4Addresses': 1000, 'proxies.networks': 50 });
  t.equal(
    gateOf('proxies', less, last).found,
    'proxy addresses 1,000 (1 % of 100,000); proxy networks 50 (1 % of 5,000)',
  );
  t.ok(isAcceptable(judged));
  t.end();
});

t.test('a new list lifts the upper bound of proxies, not the lower one', (t) => {
  const last = lastProxies(withProxies(PROXIES));
  const grown = { ...PROXIES, 'proxies.ipv4Addresses': 9_000_000 };
  const both = ['tor/exits', 'tor/details'];
  t.ok(gateOf('proxies', withProxies(grown, both), last).passed);
  const shrunk = { ...PROXIES, 'proxies.ipv4Addresses': 10 };
  t.notOk(gateOf('proxies', withProxies(shrunk, both), last).passed);
  t.end();
});

t.test('the first proxies pass; without proxies their gate is absent', (t) => {
  t.match(gateOf('proxies', withProxies(PROXIES), release({ own: 1 })), {
    passed: true,
    found: /has no proxies/,
  });
  t.match(gateOf('proxies', withProxies(PROXIES)), { passed: true, found: /no release to compare/ });
  t.equal(gateOf('proxies', figures({ own: 1 }), lastProxies(withProxies(PROXIES))), undefined);
  t.end();
});

t.test('rows of a list are reported without bounds', (t) => {
  const last = release({ own: 1000, tor: 1000 });
  const candidate = { ...figures({ own: 1000, tor: 9000 }), lists: new Set(['tor']) };
  const gate = gateOf('row counts', candidate, last);
  t.ok(gate.passed);
  t.match(gate.found, 'tor rows 9,000 (900 % of 1,000)');
  t.notOk(gateOf('row counts', figures({ own: 1000, tor: 9000 }), last).passed, 'a feed has bounds');
  t.end();
});

t.test('evidence has no bounds; a dataset without deciding feeds may grow with any new source', (t) => {
  const evidence = (count: number) => ({
    ...exampleFile('e', { ipv4Addresses: count }),
    name: 'evidence.mmdb',
    kind: 'evidence' as const,
  });
  const isp = (count: number) => ({
    ...exampleFile('i', { ipv4Addresses: count }),
    name: 'isp.mmdb',
    sources: ['tor'],
  });
  const last = {
    ...release({}),
    files: [evidence(1000), isp(1000)],
    inputs: [inputOf('tor', { 'tor/exits': 5 })],
  };
  const judge = (count: number, ids: string[]) => {
    const inputs = [inputOf('tor', Object.fromEntries(ids.map((id) => [id, 5])))];
    return gateOf('coverage', { ...figures({}), inputs, files: [evidence(1), isp(count)] }, last);
  };
  t.ok(judge(1000, ['tor/exits']).passed);
  t.notOk(judge(1501, ['tor/exits']).passed);
  t.ok(judge(1501, ['tor/exits', 'tor/details']).passed);
  t.notOk(judge(900, ['tor/exits', 'tor/details']).passed);
  t.end();
});

t.test('the gate on accuracy compares scorecards, and a person may accept a fall', (t) => {
  const scored = (country: number): GateFigures => {
    const card = exampleScorecard();
    return { ...figures({ own: 1 }), datasets: datasetsWith({ ...card, all: { ...card.all, country } }) };
  };
  const last = (source: NonNullable<Manifest['source']>): Manifest => ({
    ...release({ own: 1 }),
    datasets: datasetsWith(exampleScorecard()),
    source,
  });
  t.ok(gateOf('accuracy', scored(0.94), last('live')).passed);
  const judged = gateOf('accuracy', scored(0.9), last('live'));
  t.match(judged, {
    passed: false,
    found:
      '1,000 networks of 10 operators, 1,000 networks of 10 operators in the last release; ' +
      'country 90.0 % (96.4 % in the last release)',
  });
  t.ok(isAcceptable(judged));
  t.match(acceptGates([judged], ['accuracy']), [{ passed: true, found: /accepted by hand/ }]);
  const real = { ...scored(0.1), source: 'live' as const };
  t.match(gateOf('accuracy', real, last('fixtures')), { passed: true, found: /is built from fixtures/ });
  t.match(gateOf('accuracy', scored(0.1)), { passed: true, found: 'no release to compare with' });
  t.equal(gateOf('accuracy', figures({ own: 1 }), release({ own: 1 })), undefined, 'without scorecards');
  t.match(gateOf('accuracy', figures({ own: 1 }), last('live')), {
    passed: true,
    found: 'not compared: 0 networks of 0 operators, 1,000 networks of 10 operators in the last release',
  });
  t.end();
});
