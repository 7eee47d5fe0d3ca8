import t from 'tap';
import type { ListClaim } from '../lists/list-claim.js';
import { anyListings, random, shuffled } from './testing/any-listings.js';
import { decide, listing, TODAY } from './testing/listings.js';

const X4BNET_VPN = listing('x4bnet', { type: 'VPN' });
const X4BNET_DCH = listing('x4bnet', { type: 'DCH', isHosting: true });
const RELAY = listing('apple-relay', {
  type: 'CPN',
  provider: 'Apple iCloud Private Relay',
  usageType: 'DCH',
});
const EDGE = listing('cloudflare', { cloud: 'Cloudflare', usageType: 'CDN', isEdge: true });
const EC2 = listing('aws', { cloud: 'Amazon AWS', service: 'EC2', region: 'eu-west-1', usageType: 'DCH' });
const ALLOWED = (...allow: string[]) => listing('operator-lists', { allow });

t.test('without listings nothing is decided', (t) => {
  t.same(decide([]), { isProxy: false, threats: [], isCloudIdc: false, dropped: [] });
  t.end();
});

t.test('a Tor exit in a VPN range is a Tor exit', (t) => {
  const tor = listing('tor', { type: 'TOR' });
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

t.test('a relay in a VPN range is a relay, and not a proxy if the policy excludes relays', (t) => {
  t.match(decide([X4BNET_VPN, RELAY]), {
    type: 'CPN',
    isProxy: true,
    provider: 'Apple iCloud Private Relay',
    fraudScore: 20,
  });
  const off = { relaysAreProxies: false };
  t.match(decide([X4BNET_VPN, RELAY], {}, off), { type: 'CPN', isProxy: false });
  t.match(decide([listing('zscaler', { type: 'EPN' })], {}, off), { type: 'EPN', isProxy: false });
  t.match(decide([listing('mullvad', { type: 'VPN' })], {}, off), { type: 'VPN', isProxy: true });
  t.end();
});

t.test('a gateway of an enterprise in a data centre is EPN', (t) => {
  const gateway = listing('zscaler', { type: 'EPN', provider: 'Zscaler' });
  t.match(decide([X4BNET_DCH, gateway]), {
    type: 'EPN',
    provider: 'Zscaler',
    fraudScore: 10,
    isCloudIdc: true,
  });
  t.end();
});

t.test('the edge of a CDN in a list of proxies is not a proxy', (t) => {
  for (const [list, type] of [
    ['open-proxies', 'PUB'],
    ['open-proxies', 'RES'],
    ['x4bnet', 'VPN'],
    ['ip2proxy', 'WEB'],
  ] as const) {
    const decision = decide([listing(list, { type }), EDGE]);
    t.same(
      decision,
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

t.test('exits, commercial rows and relays at an edge keep their type', (t) => {
  const kept: [string, ListClaim][] = [
    ['tor', { type: 'TOR' }],
    ['mullvad', { type: 'VPN' }],
    ['ip2proxy', { type: 'VPN', evidence: 'commercial' }],
    ['ip2proxy', { type: 'CPN' }],
    ['operator-lists', { type: 'VPN', isOwn: true }],
  ];
  for (const [list, claim] of kept) {
    t.match(decide([listing(list, claim), EDGE]), { type: claim.type, dropped: [] }, `${list} ${claim.type}`);
  }
  t.end();
});

t.test('a listing at an edge keeps its threat when its type does not count', (t) => {
  const scanning = listing('ip2proxy', { type: 'PUB', threats: ['SCANNER'], provider: 'Example' });
  const decision = decide([scanning, EDGE]);
  t.match(decision, { isProxy: false, threats: ['SCANNER'], type: undefined, provider: undefined });
  t.end();
});

t.test('plain hosting is a cloud and not a proxy', (t) => {
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
  const server = listing('mullvad', { type: 'VPN', provider: 'Mullvad' });
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
  const crawler = listing('crawlers', { type: 'SES', provider: 'Googlebot' });
  t.match(decide([X4BNET_DCH, crawler, EC2]), {
    type: 'SES',
    isProxy: false,
    usageType: 'SES',
    fraudScore: 1,
  });
  t.match(decide([X4BNET_VPN, crawler]), { type: 'SES', isProxy: false });
  t.end();
});

t.test('a threat of a whole AS does not make its home users proxies', (t) => {
  const asdrop = listing('spamhaus', { threats: ['SPAM'] });
  t.same(decide([asdrop], { asn: 5483, usage: 'ISP', isAccess: true }), {
    isProxy: false,
    usageType: 'ISP',
    threats: ['SPAM'],
    isCloudIdc: false,
    dropped: [],
  });
  t.end();
});

t.test('an inferred range of data centres does not count in the network of an access carrier', (t) => {
  const access = { asn: 12576, usage: 'ISP/MOB', isAccess: true };
  const ranges = [X4BNET_DCH, listing('x4bnet', { type: 'VPN', isHosting: true })];
  for (const range of ranges) {
    t.same(decide([range], access), {
      isProxy: false,
      usageType: 'ISP/MOB',
      threats: [],
      isCloudIdc: false,
      dropped: ['x4bnet access'],
    });
    t.match(decide([range], { ...access, isAccess: false }), { isCloudIdc: true, dropped: [] });
  }
  const server = listing('mullvad', { type: 'VPN', provider: 'Mullvad' });
  t.match(decide([X4BNET_DCH, server], access), { type: 'VPN', isProxy: true, isCloudIdc: false });
  t.match(decide([X4BNET_DCH, EC2], access), { usageType: 'DCH', isCloudIdc: true }, "a cloud's own file");
  const stated = listing('ip2proxy', { type: 'DCH', usageType: 'DCH' });
  t.match(decide([X4BNET_DCH, stated], access), { type: 'DCH', usageType: 'DCH', isCloudIdc: true });
  const enumerated = listing('x4bnet', { type: 'VPN' });
  t.match(decide([enumerated], access), { type: 'VPN', isProxy: true, usageType: 'ISP/MOB' });
  t.end();
});

t.test('a subscriber line is RES for thirty days', (t) => {
  const seen = (ageDays: number) => listing('open-proxies', { type: 'RES' }, { ageDays });
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

t.test('types expire after their maximum age, except rows of the operator and of IP2Proxy', (t) => {
  const limits: [type: string, days: number][] = [
    ['TOR', 2],
    ['PUB', 30],
    ['RES', 30],
    ['VPN', 30],
  ];
  for (const [type, days] of limits) {
    const at = (ageDays: number) => decide([listing('some-list', { type }, { ageDays })]);
    t.match(at(days), { type, dropped: [] }, `${type} on its last day`);
    t.match(at(days + 1), { type: undefined, dropped: ['some-list expired'] }, `${type} a day later`);
  }
  for (const type of ['CPN', 'EPN', 'WEB', 'DCH', 'SES']) {
    t.equal(decide([listing('some-list', { type }, { ageDays: 90 })]).type, type);
  }
  t.equal(decide([listing('ip2proxy', { type: 'TOR' }, { ageDays: 45 })]).type, 'TOR');
  t.equal(decide([listing('operator-lists', { type: 'VPN', isOwn: true }, { ageDays: 900 })]).type, 'VPN');
  t.end();
});

t.test('a threat alone gives no proxy type, no score and no date', (t) => {
  t.same(decide([listing('ipsum', { threats: ['SCANNER'] }), listing('spamhaus', { threats: ['SPAM'] })]), {
    isProxy: false,
    threats: ['SPAM', 'SCANNER'],
    isCloudIdc: false,
    dropped: [],
  });
  t.end();
});

t.test('threats are sorted and distinct', (t) => {
  const said = [['ZEUS', 'BOTNET'], ['ATTACK', 'SPAM', 'BOTNET'], ['SCANNER']];
  const { threats } = decide(said.map((threats, i) => listing(`list-${i}`, { threats })));
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
  const server = listing('nordvpn', { type: 'VPN', provider: 'NordVPN' });
  t.match(decide([X4BNET_VPN, server], { asn: 9009 }), {
    type: 'VPN',
    decidedBy: 'nordvpn',
    isCloudIdc: true,
  });
  t.end();
});

t.test('a residential proxy in a data centre is an open proxy', (t) => {
  const home = listing('open-proxies', { type: 'RES' });
  t.match(decide([home, EC2]), { type: 'PUB', usageType: 'DCH' });
  t.match(decide([home, X4BNET_DCH]), { type: 'PUB', usageType: 'DCH' });
  t.match(decide([home, listing('ip2proxy', { usageType: 'ISP/MOB' })]), {
    type: 'RES',
    usageType: 'ISP/MOB',
  });
  const own = listing('operator-lists', { type: 'RES', isOwn: true });
  t.match(decide([own, EC2]), { type: 'RES', usageType: 'DCH' }, 'except by the operator');
  t.end();
});

t.test('an inferred VPN has no score', (t) => {
  t.equal(decide([X4BNET_VPN]).fraudScore, undefined);
  t.equal(decide([X4BNET_VPN, listing('ipsum', { threats: ['SPAM'] })]).fraudScore, undefined);
  const row = listing('ip2proxy', { type: 'DCH', fraudScore: 3 });
  t.match(
    decide([X4BNET_VPN, row]),
    { type: 'VPN', fraudScore: undefined },
    'a score of another type does not count',
  );
  t.end();
});

t.test(
  'the score of a list counts when it names the winning type, also 0; otherwise the rule applies',
  (t) => {
    const row = (claim: ListClaim) => listing('ip2proxy', { evidence: 'commercial', ...claim });
    t.equal(decide([row({ type: 'VPN', fraudScore: 42 })]).fraudScore, 42);
    t.equal(decide([row({ type: 'DCH', fraudScore: 0 })]).fraudScore, 0);
    t.equal(decide([row({ type: 'VPN', fraudScore: 42 }), listing('tor', { type: 'TOR' })]).fraudScore, 99);
    const own = listing('operator-lists', { type: 'VPN', isOwn: true });
    t.equal(decide([own, row({ type: 'VPN', fraudScore: 42 })]).fraudScore, 42);
    t.equal(decide([listing('mullvad', { type: 'VPN' }, { ageDays: 9 })]).fraudScore, 97);
    t.end();
  },
);

t.test('the last sighting is the latest of the lists that name the type', (t) => {
  const vpn = (list: string, ageDays: number) => listing(list, { type: 'VPN' }, { ageDays });
  const pub = listing('open-proxies', { type: 'PUB' }, { ageDays: 0 });
  const decision = decide([vpn('ip2proxy', 20), vpn('mullvad', 8), pub]);
  t.match(decision, { type: 'VPN', lastSeen: TODAY - 8, fraudScore: 98 });
  t.equal(
    decide([vpn('ip2proxy', 20), vpn('x4bnet', 0)]).lastSeen,
    TODAY - 20,
    'an inferred range is not a sighting',
  );
  t.equal(decide([vpn('x4bnet', 4)]).lastSeen, TODAY - 4);
  t.end();
});

t.test('the brand is that of the winning type, in one spelling', (t) => {
  const brand = listing('nordvpn', { type: 'VPN', provider: 'Nord VPN' });
  const open = listing('ip2proxy', { type: 'PUB', provider: 'Oxylabs' });
  t.equal(decide([brand, open]).provider, 'NordVPN');
  t.equal(decide([listing('tor', { type: 'TOR' }), brand]).provider, undefined);
  const nameless = listing('ip2proxy', { type: 'VPN', evidence: 'commercial' });
  t.match(
    decide([nameless, brand]),
    { decidedBy: 'ip2proxy', provider: 'NordVPN' },
    'of any list that names the type',
  );
  t.end();
});

t.test('an allowance removes type, brand, score and threats, never cloud, usage and data centre', (t) => {
  const row = listing('ip2proxy', {
    type: 'PUB',
    provider: 'Oxylabs',
    fraudScore: 80,
    threats: ['SPAM'],
    usageType: 'DCH',
  });
  const spam = listing('spamhaus', { threats: ['BOTNET'] });
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
  const open = listing('open-proxies', { type: 'PUB', threats: ['SPAM'] });
  const tor = listing('tor', { type: 'TOR' });
  t.match(decide([open, tor, ALLOWED('tor')]), { type: 'PUB', threats: ['SPAM'], dropped: ['tor allowed'] });
  t.match(decide([open, tor, ALLOWED('PUB')]), {
    type: 'TOR',
    threats: [],
    dropped: ['open-proxies allowed'],
  });
  t.match(decide([open, tor, ALLOWED('PUB', 'TOR')]), { type: undefined, isProxy: false });
  t.match(decide([open, ALLOWED('VPN')]), { type: 'PUB', dropped: [] });
  const built = listing('built-in-allow-list', { allow: ['tor'] });
  t.match(decide([open, tor, ALLOWED('PUB'), built]), { type: undefined }, 'allowances of two lists add up');
  t.end();
});

t.test('the operator’s deny-list ranks above every list and allowance', (t) => {
  const denied = listing('operator-lists', { type: 'DCH', isOwn: true, allow: ['*'] }, { ageDays: 400 });
  const tor = listing('tor', { type: 'TOR' });
  t.match(decide([tor, denied]), { type: 'DCH', isProxy: false, dropped: ['tor allowed'] });
  const vpn = listing('operator-lists', { type: 'VPN', isOwn: true }, { ageDays: 400 });
  t.match(decide([tor, vpn, listing('built-in-allow-list', { allow: ['*'] })]), {
    type: 'VPN',
    isProxy: true,
  });
  t.match(decide([tor, vpn]), { type: 'VPN', fraudScore: 90 });
  t.end();
});

t.test('an unknown type is kept and is not a proxy', (t) => {
  const odd = listing('ip2proxy', { type: 'XYZ', evidence: 'commercial' });
  t.match(decide([odd]), { type: 'XYZ', isProxy: false, fraudScore: undefined });
  t.match(decide([odd, X4BNET_DCH]), { type: 'DCH' });
  t.equal(decide([listing('ip2proxy', { type: 'constructor' })]).isProxy, false);
  t.end();
});

t.test('Google’s own services are not a cloud with customers', (t) => {
  const gmail = listing('gcp', { cloud: 'Google' });
  t.same(decide([gmail]), {
    isProxy: false,
    cloud: { provider: 'Google' },
    threats: [],
    isCloudIdc: false,
    dropped: [],
  });
  t.equal(decide([listing('gcp', { cloud: 'Google Cloud' })]).isCloudIdc, true);
  t.equal(
    decide([listing('gcp', { cloud: 'Google', usageType: 'DCH' })]).isCloudIdc,
    true,
    'but a data centre when the list says so',
  );
  t.end();
});

t.test('a cloud by its published file ranks above one by its AS', (t) => {
  const byAs = listing('hosting-networks', { cloud: 'OVHcloud', usageType: 'DCH' });
  t.match(decide([byAs]), { cloud: { provider: 'OVHcloud' }, isCloudIdc: true });
  t.match(decide([byAs, listing('vultr', { cloud: 'Vultr', region: 'Paris' })]), {
    cloud: { provider: 'Vultr', region: 'Paris' },
  });
  t.end();
});

const PROXIES = new Set(['VPN', 'TOR', 'PUB', 'WEB', 'RES', 'CPN', 'EPN']);
const TRIALS = 3_000;

t.test('the order of the listings does not matter', (t) => {
  const next = random(1);
  for (let i = 0; i < TRIALS; i++) {
    const listings = anyListings(next);
    const asn = next() < 0.3 ? 9009 : undefined;
    const [one, other] = [decide(listings, { asn }), decide(shuffled(listings, next), { asn })];
    if (JSON.stringify(one) !== JSON.stringify(other)) t.same(other, one, JSON.stringify(listings));
  }
  t.end();
});

t.test('another listing removes no threat unless it allows', (t) => {
  const next = random(2);
  for (let i = 0; i < TRIALS; i++) {
    const listings = anyListings(next).filter(({ claim }) => claim.allow === undefined);
    const less = listings.slice(1);
    const lost = decide(less).threats.filter((threat) => !decide(listings).threats.includes(threat));
    if (lost.length > 0) t.fail(`${lost.join()} lost by ${JSON.stringify(listings[0])}`);
  }
  const [spam, allowed] = [listing('spamhaus', { threats: ['SPAM'] }), ALLOWED('spamhaus')];
  t.same(decide([spam, allowed]).threats, [], 'an allowance removes it');
  t.end();
});

t.test('the type alone decides whether it is a proxy', (t) => {
  const next = random(3);
  for (let i = 0; i < TRIALS; i++) {
    const decision = decide(anyListings(next));
    if (decision.isProxy !== PROXIES.has(decision.type ?? '')) t.fail(JSON.stringify(decision));
    if (
      decision.type === undefined &&
      (decision.provider ?? decision.fraudScore ?? decision.lastSeen) !== undefined
    )
      t.fail(`without a type: ${JSON.stringify(decision)}`);
    const { fraudScore = 0 } = decision;
    if (fraudScore < 0 || fraudScore > 99) t.fail(`score ${fraudScore}`);
  }
  t.end();
});

t.test('only the operator’s own rows can make an address in a data centre RES', (t) => {
  const next = random(4);
  let residential = 0;
  for (let i = 0; i < TRIALS; i++) {
    const decision = decide(anyListings(next).filter(({ claim }) => claim.isOwn !== true));
    if (decision.type !== 'RES') continue;
    residential++;
    if (/DCH|CDN/.test(decision.usageType ?? '')) t.fail(JSON.stringify(decision));
  }
  t.ok(residential > 10, `${residential} were RES`);
  t.end();
});
