import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { formatDay } from '../lists/days.js';
import { HOSTING_NETWORKS } from '../lists/cloud/hosting-networks.js';
import type { ListClaim } from '../lists/list-claim.js';
import { ListRows } from '../lists/collect-list.js';
import { onlyLayer, type List } from '../lists/list.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import { Tally } from '../input/tally.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { formatAddress, newAddress } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { reservedSpace } from '../table/reserved-space.js';
import { decideListings, type Decision, type ProxyPolicy } from './decide-listings.js';
import type { IspRecord } from './isp-record.js';
import { ispDataset } from './isp-dataset.js';
import type { ListInput, Origin } from './isp-inputs.js';
import { listedNamesOf } from './isp-names.js';
import type { Listing } from './listings.js';
import { networkUses, UNKNOWN_USE } from './network-use.js';
import { TODAY } from './testing/listings.js';
import { fileOf, ispsOf, listOf, originsOf, inputsOf, type ByPrefix } from './testing/isp-inputs.js';
import type { Announcer } from './usage-type.js';

type Found = IspRecord & Response;

const ALIBABA: Origin = {
  asn: 37963,
  name: 'ALIBABA-CN-NET',
  organisation: 'Hangzhou Alibaba Advertising Co.,Ltd.',
};
const CHINANET: Origin = { asn: 4134, name: 'CHINANET-BACKBONE' };
const M247: Origin = { asn: 9009, name: 'M247', organisation: 'M247 Europe SRL', domain: 'm247.com' };
const HIJACKED: Origin = { asn: 64496, name: 'HIJACKED' };
const ACCESS: Origin = { asn: 64497, name: 'EXAMPLE-ACCESS', organisation: 'Example Access Ltd' };

const LISTS: readonly ListInput[] = [
  listOf('tor', { '45.0.0.1/32': { type: 'TOR', lastSeen: TODAY - 1 } }, { maxAgeDays: 2 }),
  listOf('mullvad', { '45.0.0.2/32': { type: 'VPN', provider: 'Mullvad' } }, { day: TODAY - 3 }),
  listOf('aws', { '3.0.0.0/16': { cloud: 'Amazon AWS', service: 'EC2', region: 'us-east-1' } }),
  listOf('spamhaus', {}, { asns: new Map([[HIJACKED.asn, { threats: ['SPAM'] }]]) }),
  listOf('cn-carriers', { '1.0.8.0/21': { carrier: 'telecom' } }),
  listOf('nordvpn', { '45.0.0.0/24': { type: 'VPN', provider: 'NordVPN' } }, { day: TODAY - 31 }),
];

const PARTS = inputsOf({
  lists: LISTS,
  origins: originsOf({
    '1.0.8.0/21': CHINANET,
    '45.0.0.0/16': M247,
    '47.0.0.0/16': ALIBABA,
    '46.0.0.0/24': HIJACKED,
    '2400::/32': ALIBABA,
  }),
  networkTypes: new Map([
    [ALIBABA.asn, 'Content'],
    [ACCESS.asn, 'Cable/DSL/ISP'],
  ]),
  feeds: [
    ispsOf('ip2region', {
      '47.0.0.0/24': '阿里云',
      '47.0.1.0/24': '电信',
      '1.0.8.0/22': '联通',
      '60.0.0.0/24': '0',
    }),
    ispsOf('ipinfo', { '47.0.0.0/16': 'Alibaba Cloud', '60.0.1.0/24': 'Example Net' }),
  ],
});

t.test('lists, origins and names are combined into one record per network', (t) => {
  const dataset = ispDataset(PARTS);
  const bytes = fileOf(dataset);
  t.same(verifyMmdb(bytes, { schema: dataset.schema }).problems, []);
  const reader = new Reader<Found>(bytes);
  t.strictSame(reader.get('45.0.0.1'), {
    isp: 'M247 Europe SRL',
    organization: 'M247 Europe SRL',
    autonomous_system_number: 9009,
    autonomous_system_organization: 'M247 Europe SRL',
    isp_names: { en: 'M247 Europe SRL' },
    is_anonymous: true,
    is_tor_exit_node: true,
    proxy: {
      type: 'TOR',
      domain: 'm247.com',
      isp: 'M247 Europe SRL',
      fraud_score: 99,
      last_seen: formatDay(TODAY - 1),
    },
  });
  t.match(reader.get('45.0.0.2'), {
    is_anonymous_vpn: true,
    proxy: { type: 'VPN', provider: 'Mullvad', last_seen: formatDay(TODAY - 3) },
  });
  t.strictSame(reader.get('45.0.0.3')?.proxy, undefined, 'an outdated list is left out');
  t.match(reader.get('3.0.0.1'), {
    cloud: { provider: 'Amazon AWS', service: 'EC2', region: 'us-east-1' },
    is_cloud_idc: true,
    is_hosting_provider: true,
  });
  t.notOk('is_anonymous' in reader.get('3.0.0.1')!, 'a cloud is no proxy');
  t.strictSame(reader.get('46.0.0.1')?.proxy, { threat: 'SPAM' }, 'a listing of the AS that announces it');
  t.strictSame(reader.get('1.0.8.1')?.isp_names, { en: 'China Telecom', 'zh-CN': '中国电信' });
  t.strictSame(reader.get('47.0.0.1')?.isp_names, { en: 'Alibaba Cloud', 'zh-CN': '阿里云' });
  t.strictSame(reader.get('47.0.1.1')?.isp, 'Alibaba Cloud', 'space announced by a cloud is named after it');
  t.strictSame(reader.get('60.0.1.1'), {
    isp: 'Example Net',
    organization: 'Example Net',
    isp_names: { en: 'Example Net' },
  });
  t.equal(reader.get('60.0.0.1'), null, 'a placeholder is no name');
  t.equal(reader.get('9.9.9.9'), null, 'an allowance alone gives no record');
  t.match(reader.get('2400::1'), { autonomous_system_number: 37963 });
  t.equal(reader.metadata.databaseType, 'ipatlas-ISP (compat=GeoIP2-ISP, GeoIP2-Anonymous-IP)');
  t.end();
});

t.test('the listings of each list are counted', (t) => {
  const edge = listOf('cloudflare', { '104.16.0.0/16': { cloud: 'Cloudflare', isEdge: true } });
  const scraped = listOf('open-proxies', {
    '104.16.0.1/32': { type: 'PUB', evidence: 'scraped' },
    '8.8.8.8/32': { type: 'PUB', evidence: 'scraped' },
    '45.0.0.9/32': { type: 'PUB', evidence: 'scraped', lastSeen: TODAY - 40 },
    '45.0.1.0/30': { type: 'PUB', evidence: 'scraped' },
  });
  const { counters } = ispDataset({ ...PARTS, lists: [...LISTS, edge, scraped] });
  t.match(counters, {
    'lists.tor.networks': 1,
    'lists.tor.hits': 1,
    'lists.tor.decided': 1,
    'lists.spamhaus.networks': 0,
    'lists.spamhaus.hits': 1,
    'lists.open-proxies.networks': 4,
    'lists.open-proxies.hits': 4,
    'lists.open-proxies.decided': 1,
    'lists.open-proxies.dropped.edge': 1,
    'lists.open-proxies.dropped.allowed': 1,
    'lists.open-proxies.dropped.expired': 1,
    'lists.nordvpn.expired': 1,
  });
  t.notOk('lists.nordvpn.hits' in counters);
  t.notOk('lists.built-in-allow-list.hits' in counters, 'the built-in table is no list');
  t.end();
});

t.test('names in a listing with a dropped type are not names of a proxy', (t) => {
  const row = { type: 'DCH', isp: 'Google LLC', domain: 'google.com' };
  const lists = [listOf('ip2proxy', { '8.8.8.8/32': row, '45.0.0.1/32': row })];
  const reader = new Reader<Found>(fileOf(ispDataset(inputsOf({ lists }))));
  t.match(reader.get('45.0.0.1'), { isp: 'Google', proxy: { isp: 'Google LLC', domain: 'google.com' } });
  const { isp, proxy } = reader.get('8.8.8.8')!;
  t.strictSame([isp, proxy], ['Google', undefined]);
  t.end();
});

t.test('relays are not proxies if the operator excludes them', (t) => {
  const relay = listOf('apple-relay', { '45.0.0.0/24': { type: 'CPN' } });
  const recordWith = (policy?: ProxyPolicy): IspRecord | null =>
    new Reader<Found>(fileOf(ispDataset(inputsOf({ lists: [relay] }), policy))).get('45.0.0.1');
  t.match(recordWith(), { is_anonymous: true, proxy: { type: 'CPN' } });
  const { is_anonymous: isProxy, proxy } = recordWith({ relaysAreProxies: false })!;
  t.equal(isProxy, undefined);
  t.equal(proxy?.type, 'CPN');
  t.end();
});

t.test('a row with a date in the future has the date of its copy', (t) => {
  const rows = { '45.0.0.1/32': { type: 'TOR', lastSeen: TODAY + 400 } };
  const reader = new Reader<Found>(
    fileOf(ispDataset(inputsOf({ lists: [listOf('tor', rows, { day: TODAY - 1 })] }))),
  );
  t.match(reader.get('45.0.0.1'), { proxy: { type: 'TOR', last_seen: formatDay(TODAY - 1) } });
  t.end();
});

t.test('neighbours with the same record are one network', (t) => {
  const datacenter = listOf('x4bnet', { '45.0.0.0/17': { isHosting: true } });
  const digitalocean = listOf('digitalocean', { '45.0.128.0/17': { isHosting: true } });
  const origins = originsOf({ '45.0.0.0/16': M247 });
  const { table } = ispDataset(inputsOf({ lists: [datacenter, digitalocean], origins }));
  t.equal(table.networkCount(), 1);
  t.end();
});

t.test('without inputs the file is empty', (t) => {
  const { table, records } = ispDataset(inputsOf({}));
  t.equal(table.networkCount(), 0);
  t.equal(records.length, 0);
  t.end();
});

t.test('every address has the record that a linear scan of the listings leads to', (t) => {
  const random = pseudoRandom(5);
  const claims: readonly ListClaim[] = [
    { type: 'VPN', provider: 'NordVPN' },
    { type: 'TOR', lastSeen: TODAY - 1 },
    { type: 'PUB', evidence: 'scraped', lastSeen: TODAY - 29 },
    { type: 'RES', isp: 'Example Cable', domain: 'example.net', fraudScore: 0 },
    { type: 'RES', isp: 'Example Fibre', fraudScore: 0 },
    { type: 'PUB', evidence: 'scraped', lastSeen: TODAY - 40, isp: 'Too Old' },
    { type: 'DCH', usageType: 'DCH', threats: ['SCANNER', 'SPAM'] },
    { cloud: 'Oracle Cloud', region: 'eu-frankfurt-1' },
    { isEdge: true, cloud: 'Fastly' },
    { threats: ['BOTNET'] },
    { allow: ['PUB'] },
    { type: 'DCH', isHosting: true },
  ];
  const prefix = (): string => `45.0.${random(4)}.${random(4) * 64}/${22 + random(11)}`;
  const rowsOf = <T>(values: readonly T[], count: number): ByPrefix<T> =>
    Object.fromEntries(
      Array.from({ length: count }, () => [canonical(prefix()), values[random(values.length)]!]),
    );
  for (let round = 0; round < 10; round++) {
    const rows = ['open-proxies', 'tor', 'x4bnet', 'operator'].map((id) => [id, rowsOf(claims, 12)] as const);
    const origins = rowsOf([M247, ALIBABA, HIJACKED, ACCESS], 6);
    const asns = new Map([[HIJACKED.asn, { threats: ['SPAM'], isp: 'Hijackers', domain: 'hijack.example' }]]);
    const lists = rows.map(([id, rows]) =>
      listOf(id, rows, { day: TODAY - 4, ...(id === 'x4bnet' && { asns }) }),
    );
    const inputs = { lists, networkTypes: PARTS.networkTypes, origins: originsOf(origins) };
    const reader = new Reader<Found>(fileOf(ispDataset(inputsOf(inputs))));
    const uses = networkUses(inputs);
    const announcerOf = (origin: Origin | undefined): Announcer => {
      return { asn: origin?.asn, ...((origin && uses.get(origin.asn)) ?? UNKNOWN_USE) };
    };
    const answers: object[] = [];
    const expected: object[] = [];
    for (let i = 0; i < 120; i++) {
      const ip = `45.0.${random(4)}.${random(256)}`;
      const origin = longest(origins, ip);
      const listings: Listing[] = rows.flatMap(([list, rows]) => {
        const said = [longest(rows, ip), list === 'x4bnet' && origin ? asns.get(origin.asn) : undefined];
        return said.flatMap((claim) => (claim ? [listingOf(list, claim)] : []));
      });
      const hosting = HOSTING_NETWORKS.find(({ asn }) => asn === origin?.asn)?.provider;
      if (hosting !== undefined) listings.push(listingOf('hosting-networks', { cloud: hosting }));
      expected.push({
        ip,
        ...fieldsOfDecision(decideListings(listings, announcerOf(origin))),
        ...ownerOf(listings, origin, announcerOf(origin)),
        asn: origin?.asn,
      });
      answers.push({ ip, ...fieldsOfRecord(reader.get(ip) ?? {}) });
    }
    t.strictSame(answers, expected);
  }
  t.end();
});

function fieldsOfRecord({ proxy, ...record }: IspRecord): object {
  return {
    anonymous: record.is_anonymous ?? false,
    idc: record.is_cloud_idc ?? false,
    usage: record.usage_type,
    cloud: record.cloud?.provider,
    type: proxy?.type,
    isp: proxy?.isp,
    domain: proxy?.domain,
    provider: proxy?.provider,
    threat: proxy?.threat ?? '',
    score: proxy?.fraud_score,
    seen: proxy?.last_seen,
    asn: record.autonomous_system_number,
  };
}

function fieldsOfDecision(decision: Decision): object {
  return {
    anonymous: decision.isProxy,
    idc: decision.isCloudIdc,
    usage: decision.usageType,
    cloud: decision.cloud?.provider,
    type: decision.type,
    provider: decision.provider,
    threat: decision.threats.join('/'),
    score: decision.fraudScore,
    seen: decision.lastSeen === undefined ? undefined : formatDay(decision.lastSeen),
  };
}

/** The owner of a proxy by the listings and its AS. */
function ownerOf(listings: readonly Listing[], origin: Origin | undefined, announcer: Announcer): object {
  if (decideListings(listings, announcer).type === undefined) {
    return { isp: undefined, domain: undefined };
  }
  const { isp = origin?.organisation ?? origin?.name, domain = origin?.domain } = listedNamesOf(listings);
  return { isp, domain };
}

function listingOf(list: string, claim: ListClaim): Listing {
  const lastSeen = claim.lastSeen ?? TODAY - 4;
  return { list, claim, lastSeen, ageDays: TODAY - lastSeen, copyAgeDays: 4 };
}

/** The prefix without host bits. */
function canonical(text: string): string {
  const { address, length } = parsePrefix(text)!;
  return `${formatAddress(address, 4)}/${length - 96}`;
}

/** The row of the longest prefix that contains an address; the first of equal ones. */
function longest<T>(rows: ByPrefix<T>, ip: string): T | undefined {
  const value = valueOf(ip);
  let best: { readonly length: number; readonly row: T } | undefined;
  for (const [text, row] of Object.entries(rows)) {
    const [address, bits] = text.split('/') as [string, string];
    const size = 2 ** (32 - Number(bits));
    const holds = Math.floor(valueOf(address) / size) === Math.floor(value / size);
    if (holds && Number(bits) > (best?.length ?? -1)) best = { length: Number(bits), row };
  }
  return best?.row;
}

function valueOf(ip: string): number {
  return ip.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);
}

t.test('reserved space is never in the result, even if lists name it', (t) => {
  const ten = parsePrefix('10.0.0.0/8')!;
  const reserved = reservedSpace([{ prefix: ten, name: 'Private-Use', globallyReachable: false }]);
  const list: Pick<List, 'layers' | 'combine'> = { layers: ['only'], combine: onlyLayer };
  const rows = new ListRows(list as List, reserved);
  const sink = rows.sinkFor(
    { id: 'open-proxies/http.txt' } as Parameters<ListRows['sinkFor']>[0],
    new Tally(),
  );
  const claimId = sink.intern({ type: 'PUB' });
  const prefixes = new PrefixTexts(sink, 0);
  ['10.0.0.1', '9.255.255.0/24', '224.0.0.1', '255.255.255.255', 'fe80::1', '45.0.0.1'].forEach((text, i) => {
    prefixes.add(text, claimId, { position: i + 1 });
  });
  const lists = [{ ...listOf('open-proxies', {}), ...rows.finish() }];
  const { table } = ispDataset(inputsOf({ lists }));
  const named: string[] = [];
  table.forEach((address) => {
    const copy = newAddress();
    copy.set(address);
    named.push(formatAddress(copy, 4));
  });
  t.strictSame(named, ['9.255.255.0', '45.0.0.1']);
  t.end();
});
