import t from 'tap';
import type { ListClaim } from '../lists/list-claim.js';
import { anyHits, random, shuffled } from './testing/any-hits.js';
import { decide, hit, TODAY } from './testing/hits.js';

const X4BNET_VPN = hit('x4bnet', { type: 'VPN' });
const X4BNET_DCH = hit('x4bnet', { type: 'DCH', isHosting: true });
const RELAY = hit('apple-relay', {
  type: 'CPN',
  provider: 'Apple iCloud Private Relay',
  usageType: 'DCH',
});
const EDGE = hit('cloudflare', { cloud: 'Cloudflare', usageType: 'CDN', isEdge: true });
const EC2 = hit('aws', { cloud: 'Amazon AWS', service: 'EC2', region: 'eu-west-1', usageType: 'DCH' });
const ALLOWED = (...allow: string[]) => hit('operator-lists', { allow });

t.test('of no hits comes nothing', (t) => {
  t.same(decide([]), { isProxy: false, threats: [], isCloudIdc: false, dropped: [] });
  t.end();
});

t.test('a Tor exit in a VPN range is a Tor exit', (t) => {
  const tor = hit('tor', { type: 'TOR' });
  t.same(decide([X4BNET_VPN, tor]), {
    type: 'TOR',
    isProxy: true,
    decidedBy: 'tor',
    lastSeen: TODAY - 1,
    fraudScore: 99,
    threats: [],
    isCloudIdc: false,
    dropped: [],
  });
  t.end();
});

t.test('a relay in a VPN range is a relay, and no proxy where the switch is off', (t) => {
  t.match(decide([X4BNET_VPN, RELAY]), {
    type: 'CPN',
    isProxy: true,
    provider: 'Apple iCloud Private Relay',
    fraudScore: 20,
  });
  const off = { relaysAreProxies: false };
  t.match(decide([X4BNET_VPN, RELAY], {}, off), { type: 'CPN', isProxy: false });
  t.match(decide([hit('zscaler', { type: 'EPN' })], {}, off), { type: 'EPN', isProxy: false });
  t.match(decide([hit('mullvad', { type: 'VPN' })], {}, off), { type: 'VPN', isProxy: true });
  t.end();
});

t.test('a gateway of an enterprise in a data centre is EPN', (t) => {
  const gateway = hit('zscaler', { type: 'EPN', provider: 'Zscaler' });
  t.match(decide([X4BNET_DCH, gateway]), {
    type: 'EPN',
    provider: 'Zscaler',
    fraudScore: 10,
    isCloudIdc: true,
  });
  t.end();
});

t.test('an edge of a delivery network in lists of proxies is none', (t) => {
  for (const [list, type] of [
    ['open-proxies', 'PUB'],
    ['open-proxies', 'RES'],
    ['x4bnet', 'VPN'],
    ['ip2proxy', 'WEB'],
  ] as const) {
    const verdict = decide([hit(list, { type }), EDGE]);
    t.same(
      verdict,
      {
        isProxy: false,
        usageType: 'CDN',
        cloud: { provider: 'Cloudflare' },
        threats: [],
        isCloudIdc: true,
        dropped: [`${list} edge`],
      },
      `${type} of ${list}`,
    );
  }
  t.end();
});

t.test('what is known to use an edge stays: exits, tested commercial rows, data centres', (t) => {
  const kept: [string, ListClaim][] = [
    ['tor', { type: 'TOR' }],
    ['mullvad', { type: 'VPN' }],
    ['ip2proxy', { type: 'VPN', evidence: 'commercial' }],
    ['ip2proxy', { type: 'CPN' }],
    ['operator-lists', { type: 'VPN', isOwn: true }],
  ];
  for (const [list, claim] of kept) {
    t.match(decide([hit(list, claim), EDGE]), { type: claim.type, dropped: [] }, `${list} ${claim.type}`);
  }
  t.end();
});

t.test('a threat of an edge stays when its type does not', (t) => {
  const scanning = hit('ip2proxy', { type: 'PUB', threats: ['SCANNER'], provider: 'Example' });
  const verdict = decide([scanning, EDGE]);
  t.match(verdict, { isProxy: false, threats: ['SCANNER'], type: undefined, provider: undefined });
  t.end();
});

t.test('plain hosting is cloud and no proxy', (t) => {
  t.match(decide([EC2]), {
    isProxy: false,
    type: undefined,
    usageType: 'DCH',
    cloud: { provider: 'Amazon AWS', service: 'EC2', region: 'eu-west-1' },
    isCloudIdc: true,
  });
  t.match(decide([EC2, X4BNET_DCH]), { isProxy: false, type: 'DCH', fraudScore: 3, isCloudIdc: true });
  t.end();
});

t.test('a VPN on rented hosting is both', (t) => {
  const server = hit('mullvad', { type: 'VPN', provider: 'Mullvad' });
  t.match(decide([EC2, server]), {
    type: 'VPN',
    isProxy: true,
    provider: 'Mullvad',
    cloud: { provider: 'Amazon AWS' },
    isCloudIdc: true,
  });
  t.end();
});

t.test('a crawler in a data centre is a crawler', (t) => {
  const crawler = hit('crawlers', { type: 'SES', provider: 'Googlebot' });
  t.match(decide([X4BNET_DCH, crawler, EC2]), {
    type: 'SES',
    isProxy: false,
    usageType: 'SES',
    fraudScore: 1,
  });
  t.match(decide([X4BNET_VPN, crawler]), { type: 'SES', isProxy: false });
  t.end();
});

t.test('whole networks of home users are no proxies: an AS gives no type', (t) => {
  const asdrop = hit('spamhaus', { threats: ['SPAM'] });
  t.same(decide([asdrop], { asn: 5483, networkType: 'Cable/DSL/ISP' }), {
    isProxy: false,
    usageType: 'ISP',
    threats: ['SPAM'],
    isCloudIdc: false,
    dropped: [],
  });
  t.end();
});

t.test('a subscriber behind shared addresses is RES for thirty days, and his neighbours are not', (t) => {
  const seen = (ageDays: number) => hit('open-proxies', { type: 'RES' }, { ageDays });
  t.match(decide([seen(30)]), { type: 'RES', isProxy: true, fraudScore: 31 });
  t.same(decide([seen(31)]), {
    isProxy: false,
    threats: [],
    isCloudIdc: false,
    dropped: ['open-proxies expired'],
  });
  t.equal(decide([]).isProxy, false);
  t.end();
});

t.test('types live as long as their limits, with the operator’s and IP2Proxy’s rows as exceptions', (t) => {
  const limits: [type: string, days: number][] = [
    ['TOR', 2],
    ['PUB', 30],
    ['RES', 30],
    ['VPN', 30],
  ];
  for (const [type, days] of limits) {
    const at = (ageDays: number) => decide([hit('some-list', { type }, { ageDays })]);
    t.match(at(days), { type, dropped: [] }, `${type} on its last day`);
    t.match(at(days + 1), { type: undefined, dropped: ['some-list expired'] }, `${type} a day later`);
  }
  for (const type of ['CPN', 'EPN', 'WEB', 'DCH', 'SES']) {
    t.equal(decide([hit('some-list', { type }, { ageDays: 90 })]).type, type);
  }
  t.equal(decide([hit('ip2proxy', { type: 'TOR' }, { ageDays: 45 })]).type, 'TOR');
  t.equal(decide([hit('operator-lists', { type: 'VPN', isOwn: true }, { ageDays: 900 })]).type, 'VPN');
  t.end();
});

t.test('a threat alone makes no proxy, has no score and no date', (t) => {
  t.same(decide([hit('ipsum', { threats: ['SCANNER'] }), hit('spamhaus', { threats: ['SPAM'] })]), {
    isProxy: false,
    threats: ['SPAM', 'SCANNER'],
    isCloudIdc: false,
    dropped: [],
  });
  t.end();
});

t.test('threats stand in one order, each once', (t) => {
  const said = [['ZEUS', 'BOTNET'], ['ATTACK', 'SPAM', 'BOTNET'], ['SCANNER']];
  const { threats } = decide(said.map((threats, i) => hit(`list-${i}`, { threats })));
  t.same(threats, ['SPAM', 'SCANNER', 'BOTNET', 'ATTACK', 'ZEUS']);
  t.end();
});

t.test('VPN ranges in hosting that brands rent are data centres', (t) => {
  for (const asn of [9009, 212238, 60068]) {
    t.match(decide([X4BNET_VPN], { asn }), {
      type: 'DCH',
      isProxy: false,
      usageType: 'DCH',
      isCloudIdc: true,
    });
  }
  t.match(decide([X4BNET_VPN], { asn: 16509 }), { type: 'VPN', isProxy: true, isCloudIdc: false });
  const server = hit('nordvpn', { type: 'VPN', provider: 'NordVPN' });
  t.match(decide([X4BNET_VPN, server], { asn: 9009 }), {
    type: 'VPN',
    decidedBy: 'nordvpn',
    isCloudIdc: true,
  });
  t.end();
});

t.test('nobody lives in a data centre: a residential proxy there is an open one', (t) => {
  const home = hit('open-proxies', { type: 'RES' });
  t.match(decide([home, EC2]), { type: 'PUB', usageType: 'DCH' });
  t.match(decide([home, X4BNET_DCH]), { type: 'PUB', usageType: 'DCH' });
  t.match(decide([home, hit('ip2proxy', { usageType: 'ISP/MOB' })]), { type: 'RES', usageType: 'ISP/MOB' });
  const own = hit('operator-lists', { type: 'RES', isOwn: true });
  t.match(decide([own, EC2]), { type: 'RES', usageType: 'DCH' }, 'the operator knows better');
  t.end();
});

t.test('an inferred VPN has no score, whatever else is known', (t) => {
  t.equal(decide([X4BNET_VPN]).fraudScore, undefined);
  t.equal(decide([X4BNET_VPN, hit('ipsum', { threats: ['SPAM'] })]).fraudScore, undefined);
  const row = hit('ip2proxy', { type: 'DCH', fraudScore: 3 });
  t.match(
    decide([X4BNET_VPN, row]),
    { type: 'VPN', fraudScore: undefined },
    'a score of another type is none',
  );
  t.end();
});

t.test('a list’s score is taken when it agrees on the type, also 0; else the rule speaks', (t) => {
  const row = (claim: ListClaim) => hit('ip2proxy', { evidence: 'commercial', ...claim });
  t.equal(decide([row({ type: 'VPN', fraudScore: 42 })]).fraudScore, 42);
  t.equal(decide([row({ type: 'DCH', fraudScore: 0 })]).fraudScore, 0);
  t.equal(decide([row({ type: 'VPN', fraudScore: 42 }), hit('tor', { type: 'TOR' })]).fraudScore, 99);
  const own = hit('operator-lists', { type: 'VPN', isOwn: true });
  t.equal(decide([own, row({ type: 'VPN', fraudScore: 42 })]).fraudScore, 42);
  t.equal(decide([hit('mullvad', { type: 'VPN' }, { ageDays: 9 })]).fraudScore, 97);
  t.end();
});

t.test('it was last seen when a list that agrees saw it last', (t) => {
  const vpn = (list: string, ageDays: number) => hit(list, { type: 'VPN' }, { ageDays });
  const pub = hit('open-proxies', { type: 'PUB' }, { ageDays: 0 });
  const verdict = decide([vpn('ip2proxy', 20), vpn('mullvad', 8), pub]);
  t.match(verdict, { type: 'VPN', lastSeen: TODAY - 8, fraudScore: 98 });
  t.equal(decide([vpn('ip2proxy', 20), vpn('x4bnet', 0)]).lastSeen, TODAY - 20, 'a range has seen nothing');
  t.equal(decide([vpn('x4bnet', 4)]).lastSeen, TODAY - 4);
  t.end();
});

t.test('the brand is that of the winning type, in one spelling', (t) => {
  const brand = hit('nordvpn', { type: 'VPN', provider: 'Nord VPN' });
  const open = hit('ip2proxy', { type: 'PUB', provider: 'Oxylabs' });
  t.equal(decide([brand, open]).provider, 'NordVPN');
  t.equal(decide([hit('tor', { type: 'TOR' }), brand]).provider, undefined);
  const nameless = hit('ip2proxy', { type: 'VPN', evidence: 'commercial' });
  t.match(
    decide([nameless, brand]),
    { decidedBy: 'ip2proxy', provider: 'NordVPN' },
    'of any list that agrees',
  );
  t.end();
});

t.test('an allowance takes type, brand, score and threats, never cloud, usage and data centre', (t) => {
  const row = hit('ip2proxy', {
    type: 'PUB',
    provider: 'Oxylabs',
    fraudScore: 80,
    threats: ['SPAM'],
    usageType: 'DCH',
  });
  const spam = hit('spamhaus', { threats: ['BOTNET'] });
  t.same(decide([row, spam, EC2, X4BNET_DCH, ALLOWED('*')]), {
    isProxy: false,
    usageType: 'DCH',
    cloud: { provider: 'Amazon AWS', service: 'EC2', region: 'eu-west-1' },
    threats: [],
    isCloudIdc: true,
    dropped: ['ip2proxy allowed', 'spamhaus allowed', 'x4bnet allowed'],
  });
  t.end();
});

t.test('an allowance of a list or a type leaves the others', (t) => {
  const open = hit('open-proxies', { type: 'PUB', threats: ['SPAM'] });
  const tor = hit('tor', { type: 'TOR' });
  t.match(decide([open, tor, ALLOWED('tor')]), { type: 'PUB', threats: ['SPAM'], dropped: ['tor allowed'] });
  t.match(decide([open, tor, ALLOWED('PUB')]), {
    type: 'TOR',
    threats: [],
    dropped: ['open-proxies allowed'],
  });
  t.match(decide([open, tor, ALLOWED('PUB', 'TOR')]), { type: undefined, isProxy: false });
  t.match(decide([open, ALLOWED('VPN')]), { type: 'PUB', dropped: [] });
  const built = hit('built-in-allow-list', { allow: ['tor'] });
  t.match(decide([open, tor, ALLOWED('PUB'), built]), { type: undefined }, 'allowances of two lists add up');
  t.end();
});

t.test('what an operator denies beats every list and what is allowed', (t) => {
  const denied = hit('operator-lists', { type: 'DCH', isOwn: true, allow: ['*'] }, { ageDays: 400 });
  const tor = hit('tor', { type: 'TOR' });
  t.match(decide([tor, denied]), { type: 'DCH', isProxy: false, dropped: ['tor allowed'] });
  const vpn = hit('operator-lists', { type: 'VPN', isOwn: true }, { ageDays: 400 });
  t.match(decide([tor, vpn, hit('built-in-allow-list', { allow: ['*'] })]), { type: 'VPN', isProxy: true });
  t.match(decide([tor, vpn]), { type: 'VPN', fraudScore: 90 });
  t.end();
});

t.test('a type that nobody knows is told and makes no proxy', (t) => {
  const odd = hit('ip2proxy', { type: 'XYZ', evidence: 'commercial' });
  t.match(decide([odd]), { type: 'XYZ', isProxy: false, fraudScore: undefined });
  t.match(decide([odd, X4BNET_DCH]), { type: 'DCH' });
  t.equal(decide([hit('ip2proxy', { type: 'constructor' })]).isProxy, false);
  t.end();
});

t.test('Google’s own services are no customer’s cloud', (t) => {
  const gmail = hit('gcp', { cloud: 'Google' });
  t.same(decide([gmail]), {
    isProxy: false,
    cloud: { provider: 'Google' },
    threats: [],
    isCloudIdc: false,
    dropped: [],
  });
  t.equal(decide([hit('gcp', { cloud: 'Google Cloud' })]).isCloudIdc, true);
  t.equal(
    decide([hit('gcp', { cloud: 'Google', usageType: 'DCH' })]).isCloudIdc,
    true,
    'a data centre for all that',
  );
  t.end();
});

t.test('of two clouds the one with a file beats the one by its AS', (t) => {
  const byAs = hit('hosting-networks', { cloud: 'OVHcloud', usageType: 'DCH' });
  t.match(decide([byAs]), { cloud: { provider: 'OVHcloud' }, isCloudIdc: true });
  t.match(decide([byAs, hit('vultr', { cloud: 'Vultr', region: 'Paris' })]), {
    cloud: { provider: 'Vultr', region: 'Paris' },
  });
  t.end();
});

const PROXIES = new Set(['VPN', 'TOR', 'PUB', 'WEB', 'RES', 'CPN', 'EPN']);
const TRIALS = 3_000;

t.test('the order of the hits never matters', (t) => {
  const next = random(1);
  for (let i = 0; i < TRIALS; i++) {
    const hits = anyHits(next);
    const asn = next() < 0.3 ? 9009 : undefined;
    const [one, other] = [decide(hits, { asn }), decide(shuffled(hits, next), { asn })];
    if (JSON.stringify(one) !== JSON.stringify(other)) t.same(other, one, JSON.stringify(hits));
  }
  t.end();
});

t.test('one more hit takes no threat away unless it allows', (t) => {
  const next = random(2);
  for (let i = 0; i < TRIALS; i++) {
    const hits = anyHits(next).filter(({ claim }) => claim.allow === undefined);
    const less = hits.slice(1);
    const lost = decide(less).threats.filter((threat) => !decide(hits).threats.includes(threat));
    if (lost.length > 0) t.fail(`${lost.join()} lost by ${JSON.stringify(hits[0])}`);
  }
  const [spam, allowed] = [hit('spamhaus', { threats: ['SPAM'] }), ALLOWED('spamhaus')];
  t.same(decide([spam, allowed]).threats, [], 'and does if so');
  t.end();
});

t.test('whether it is a proxy follows from the type, and from nothing else', (t) => {
  const next = random(3);
  for (let i = 0; i < TRIALS; i++) {
    const verdict = decide(anyHits(next));
    if (verdict.isProxy !== PROXIES.has(verdict.type ?? '')) t.fail(JSON.stringify(verdict));
    if (
      verdict.type === undefined &&
      (verdict.provider ?? verdict.fraudScore ?? verdict.lastSeen) !== undefined
    )
      t.fail(`without a type: ${JSON.stringify(verdict)}`);
    const { fraudScore = 0 } = verdict;
    if (fraudScore < 0 || fraudScore > 99) t.fail(`score ${fraudScore}`);
  }
  t.end();
});

t.test('RES is never said of a data centre, unless by the operator', (t) => {
  const next = random(4);
  let residential = 0;
  for (let i = 0; i < TRIALS; i++) {
    const verdict = decide(anyHits(next).filter(({ claim }) => claim.isOwn !== true));
    if (verdict.type !== 'RES') continue;
    residential++;
    if (/DCH|CDN/.test(verdict.usageType ?? '')) t.fail(JSON.stringify(verdict));
  }
  t.ok(residential > 10, `${residential} were RES`);
  t.end();
});
