import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { parseDay } from '../lists/days.js';
import type { ListClaim } from '../lists/list-claim.js';
import { reserved } from '../lists/testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../input/testing/real-files.js';
import { familyOf, formatAddress, parseAddress } from '../net/address.js';
import { PROXY_TYPES } from '../lists/proxy/proxy-types.js';
import { builtInAllowList } from '../isp/allowed-space.js';
import { RENTED_HOSTING } from '../isp/proxy-type.js';
import type { IspRecord } from '../isp/isp-record.js';
import { ispDataset, type MmdbDataset } from '../isp/isp-dataset.js';
import type { Origin } from '../isp/isp-inputs.js';
import { originsOf, inputsOf } from '../isp/testing/isp-inputs.js';
import { ABSENT, zip } from '../table/zip.js';
import { readLists, type ReadList } from './testing/all-lists.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');
const DAY = parseDay('2026-11-21')!;

const M247: Origin = { asn: 9009, name: 'M247' };
const HETZNER: Origin = { asn: 24940, name: 'HETZNER-AS' };
const CLOUDFLARE: Origin = { asn: 13335, name: 'CLOUDFLARENET' };
const ALIBABA: Origin = { asn: 37963, name: 'ALIBABA-CN-NET' };
const EE: Origin = { asn: 12576, name: 'EE' };

/** The announcing ASes of some of the networks. */
const ORIGINS = originsOf({
  '37.120.129.0/24': M247,
  '38.180.0.0/16': M247,
  '45.84.107.0/24': M247,
  '146.70.0.0/16': M247,
  '136.243.0.0/16': HETZNER,
  '104.16.0.0/12': CLOUDFLARE,
  '47.92.0.0/14': ALIBABA,
  '31.80.0.0/12': EE,
  '185.220.101.0/24': { asn: 60729 },
  '1.32.226.0/24': { asn: 152194, name: 'CTGSERVERLIMITED-AS-AP' },
  '12.0.224.0/21': { asn: 2386, name: 'INS-AS' },
});

const NETWORK_TYPES = new Map([[EE.asn, 'Cable/DSL/ISP']]);

/** An address, its use, and the fields of its record that must match. */
type Known = readonly [what: string, address: string, record: object];

const proxy = (type: string, more: object = {}): object => ({
  is_anonymous: true,
  proxy: { type, ...more },
});
const noProxy = { is_anonymous: undefined, is_anonymous_vpn: undefined, is_public_proxy: undefined };
const withoutType = { ...noProxy, proxy: undefined };
const rented = { ...noProxy, is_hosting_provider: true, usage_type: 'DCH', proxy: { type: 'DCH' } };
const hosting = (provider: string): object => ({
  ...noProxy,
  ...{ is_hosting_provider: true, is_cloud_idc: true, usage_type: 'DCH', cloud: { provider } },
});
const edge = (provider: string, service?: string): object => ({
  ...noProxy,
  ...{ is_cloud_idc: true, usage_type: 'CDN', cloud: { provider, ...(service && { service }) } },
});
const relay = proxy('CPN', { provider: 'Apple iCloud Private Relay' });

/** Known addresses in the fixtures: hand-made files with real addresses of the publishers. */
const KNOWN_IN_FIXTURES: readonly Known[] = [
  ['a Tor exit', '204.8.96.151', { ...proxy('TOR', { fraud_score: 99 }), is_tor_exit_node: true }],
  ['an exit in IPv6', '2a02:418:6017::148', proxy('TOR')],
  ['a relay of Mullvad on rented hosting', '37.120.201.2', proxy('VPN', { provider: 'Mullvad' })],
  ['an exit of Proton', '185.244.213.11', proxy('VPN', { provider: 'ProtonVPN' })],
  ['an entry of Proton that is no exit', '138.199.60.5', withoutType],
  [
    'S3 of AWS',
    '3.5.140.1',
    { ...hosting('Amazon AWS'), cloud: { service: 'S3', region: 'ap-northeast-2' } },
  ],
  ['EC2 of AWS', '54.148.0.1', { ...hosting('Amazon AWS'), cloud: { service: 'EC2', region: 'us-west-2' } }],
  ['CloudFront', '13.32.0.1', edge('Amazon AWS', 'CLOUDFRONT')],
  ['an edge that is called an open proxy', '104.18.32.7', { ...edge('Cloudflare'), proxy: undefined }],
  ['an egress of a relay', '104.28.28.1', relay],
  ['a VPN range in rented hosting', '37.120.129.7', rented],
  ['a VPN range elsewhere', '38.48.124.1', { ...proxy('VPN'), is_anonymous_vpn: true }],
  ['hosting that a list of proxies does not name', '136.243.0.1', hosting('Hetzner')],
  ['a gateway of Zscaler', '165.225.1.1', proxy('EPN', { provider: 'Zscaler' })],
  ['an AS that is to be dropped', '12.0.224.1', { ...noProxy, proxy: { type: undefined, threat: 'SPAM' } }],
  ['a resolver', '1.1.1.1', withoutType],
  ['a resolver that lists of data centres name', '8.8.8.8', withoutType],
];

/** Known addresses in the publishers' own files. */
const KNOWN_IN_REAL: readonly Known[] = [
  ['a Tor exit', '5.44.252.164', { ...proxy('TOR', { fraud_score: 99 }), is_tor_exit_node: true }],
  ['an exit inside a VPN range', '185.220.101.136', { ...proxy('TOR'), is_anonymous_vpn: undefined }],
  ['an exit in IPv6 inside a VPN range', '2a0b:f4c2:1::128', proxy('TOR')],
  ['an exit on rented hosting', '45.84.107.17', proxy('TOR')],
  ['an exit that IP2Proxy knows too', '185.220.101.32', proxy('TOR', { threat: 'SPAM/SCANNER' })],
  ['a relay of Mullvad', '23.159.216.14', proxy('VPN', { provider: 'Mullvad', fraud_score: 99 })],
  ['a relay of Mullvad on rented hosting', '146.70.129.130', { ...proxy('VPN'), is_hosting_provider: true }],
  ['an exit of Proton', '45.14.71.5', proxy('VPN', { provider: 'ProtonVPN' })],
  ['an entry of Proton that is no exit', '103.108.229.18', { ...noProxy, proxy: { type: 'DCH' } }],
  ['EC2 of AWS', '3.7.12.1', { ...hosting('Amazon AWS'), cloud: { service: 'EC2', region: 'ap-south-1' } }],
  [
    'S3 of AWS',
    '3.5.140.1',
    { ...hosting('Amazon AWS'), cloud: { service: 'S3', region: 'ap-northeast-2' } },
  ],
  ['CloudFront', '54.182.0.1', { ...edge('Amazon AWS', 'CLOUDFRONT'), proxy: { fraud_score: 0 } }],
  ['an edge that is called an open proxy', '104.18.32.7', { ...edge('Cloudflare'), proxy: undefined }],
  ['an egress of a relay inside a VPN range', '104.28.28.64', { ...relay, is_anonymous_vpn: undefined }],
  ['hosting of Linode', '172.105.142.1', { ...hosting('Linode'), proxy: undefined }],
  ['hosting of DigitalOcean', '178.62.173.1', { ...hosting('DigitalOcean'), proxy: undefined }],
  ['hosting known by its AS', '136.243.176.1', { ...hosting('Hetzner'), proxy: undefined }],
  ['hosting in China known by its AS', '47.92.1.1', hosting('Alibaba Cloud')],
  [
    'an inferred data centre in an access network',
    '31.80.0.1',
    { ...withoutType, usage_type: 'ISP', is_hosting_provider: undefined, is_cloud_idc: undefined },
  ],
  ['a VPN range in rented hosting', '38.180.0.1', rented],
  ['a gateway of Zscaler', '8.25.203.1', proxy('EPN', { provider: 'Zscaler' })],
  ['a gateway of Zscaler that X4BNet lists', '165.225.126.1', proxy('EPN', { provider: 'Zscaler' })],
  ['a network to be dropped', '1.10.16.1', { ...noProxy, proxy: { type: undefined, threat: 'SPAM' } }],
  ['a network of an AS to be dropped', '1.32.226.1', { is_anonymous: undefined, proxy: { threat: 'SPAM' } }],
  ['a crawler', '31.13.29.56', { ...noProxy, proxy: { type: 'SES' } }],
  [
    'a crawler in a cloud',
    '3.14.135.227',
    { ...hosting('Amazon AWS'), usage_type: 'SES', proxy: { type: 'SES' } },
  ],
  [
    'a line that is lent out',
    '41.76.192.17',
    { ...proxy('RES'), is_residential_proxy: true, usage_type: 'ISP' },
  ],
  ...['1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4', '9.9.9.9', '208.67.222.222', '2606:4700:4700::1111'].map(
    (address): Known => ['a resolver', address, withoutType],
  ),
];

/** All lists of a folder, and the dataset made from them. */
interface World {
  readonly read: readonly ReadList[];
  readonly made: MmdbDataset;
  readonly recordOf: (id: number) => IspRecord;
  readonly at: (address: string) => IspRecord | undefined;
}

function worldOf(read: readonly ReadList[]): World {
  const made = ispDataset(
    inputsOf({ lists: read.map(({ input }) => input), origins: ORIGINS, networkTypes: NETWORK_TYPES }),
  );
  const records = Array.from({ length: made.records.length }, (_, id) => made.records.at(id));
  const recordOf = (id: number): IspRecord => records[id]!;
  const at = (text: string): IspRecord | undefined => {
    const match = made.table.lookup(parseAddress(text)!.address);
    return match && recordOf(match.recordId);
  };
  return { read, made, recordOf, at };
}

function checkKnownAddresses(t: Test, { at }: World, known: readonly Known[]): void {
  for (const [what, address, record] of known) t.match(at(address) ?? {}, record, `${what}: ${address}`);
}

function checkRowCounts(t: Test, { read }: World): void {
  for (const { trial, files } of read) {
    for (const file of files) {
      const { rows, accepted, rejected, rejections } = trial.tally(file);
      const counted = Object.values(rejections).reduce((sum, { count }) => sum + count, 0);
      t.same([accepted + rejected, counted], [rows, rejected], file);
    }
  }
}

/** Checks every record of the dataset, so every network is covered. */
function checkProxyTypes(t: Test, { made, recordOf }: World): void {
  const wrong: IspRecord[] = [];
  made.table.forEach((_address, _length, id) => {
    const record = recordOf(id);
    const type = record.proxy?.type;
    const isHidden = type !== undefined && PROXY_TYPES.get(type)?.isProxy === true;
    const isInDataCentre = record.usage_type === 'DCH' || record.usage_type === 'CDN';
    if ((record.is_anonymous === true) !== isHidden || (type === 'RES' && isInDataCentre)) wrong.push(record);
  });
  t.same(wrong, [], 'every proxy has a type of proxies, and no residential proxy is in a data centre');
}

function checkResidentialUsage(t: Test, { read }: World): void {
  const { trial } = read.find(({ input }) => input.id === 'ip2proxy')!;
  const homes = trial.claims.filter(({ type }) => type === 'RES');
  t.ok(homes.length > 0);
  t.same(
    homes.filter(({ usageType }) => /DCH|CDN/.test(usageType ?? '')),
    [],
  );
}

function checkReservedSpace(t: Test, { made, at }: World): void {
  const both = zip([made.table, reserved], ([id, isReserved]) =>
    id === ABSENT || isReserved === ABSENT ? ABSENT : 0,
  );
  t.equal(both.networkCount(), 0, "no network of the result lies in what IANA's registries reserve");
  const reservedAddresses = [
    '0.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
  ];
  const others = [
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'fc00::1',
  ];
  for (const address of [...reservedAddresses, ...others, '2001:db8::1'])
    t.equal(at(address), undefined, address);
}

/**
 * Checks every difference between the lists and the dataset. A network that a list names as a proxy may have no proxy
 * record only if the claim is allowed, too old, or inferred in an access network, or if the network is an edge of a CDN
 * or rented hosting. A network that no list names as a proxy must not be one.
 */
function checkDroppedListings(t: Test, { read, made, recordOf }: World): void {
  const lists = [...read.map(({ input }) => input), { ...BUILT_IN, ...builtInAllowList() }];
  const tables = [made.table, ORIGINS.table, ...lists.map(({ table }) => table)];
  const unexplained = zip(tables, ([id, origin, ...claimIds]) => {
    const said = lists.flatMap((list, i) =>
      claimIds[i] === ABSENT ? [] : [{ list, claim: list.claims[claimIds[i]!]! }],
    );
    const isNamed = said.some(({ list, claim }) => namesProxy(list, claim));
    const isProxy = id !== ABSENT && recordOf(id!).is_anonymous === true;
    if (isNamed === isProxy) return ABSENT;
    const asn = origin === ABSENT ? undefined : ORIGINS.records[origin!]!.asn;
    const isRented = asn !== undefined && RENTED_HOSTING.has(asn);
    const isInferred = asn === EE.asn && said.some(({ claim }) => claim.isHosting === true);
    const isSpared = said.some(({ claim }) => claim.isEdge === true || claim.allow !== undefined);
    return isNamed && (isRented || isInferred || isSpared) ? ABSENT : Number(isProxy);
  });
  const found: string[] = [];
  unexplained.forEach((address, _length, isProxy) => {
    found.push(`${formatAddress(address, familyOf(address))} is ${isProxy ? 'a' : 'no'} proxy`);
  });
  t.same(found, []);
}

const BUILT_IN = { id: 'built-in', today: DAY };

/** Returns whether a claim names a proxy and is not older than the maximum age of its type. */
function namesProxy(
  { id, today }: { readonly id: string; readonly today: number },
  claim: ListClaim,
): boolean {
  const meaning = claim.type === undefined ? undefined : PROXY_TYPES.get(claim.type);
  const ageDays = id === 'ip2proxy' || claim.isOwn === true ? 0 : today - (claim.lastSeen ?? today);
  return meaning?.isProxy === true && ageDays <= (meaning.maxAgeDays ?? Infinity);
}

function checkGithub(t: Test, { at }: World, file: string): void {
  const { web } = JSON.parse(readFileSync(file, 'utf8')) as { readonly web: readonly string[] };
  t.ok(web.length > 0);
  for (const prefix of web) {
    const [address] = prefix.split('/') as [string];
    t.match(at(address) ?? {}, { ...noProxy, cloud: { provider: 'GitHub', service: 'web' } }, prefix);
  }
}

function checkDataset(t: Test, world: World, known: readonly Known[]): void {
  checkKnownAddresses(t, world, known);
  checkRowCounts(t, world);
  checkProxyTypes(t, world);
  checkResidentialUsage(t, world);
  checkReservedSpace(t, world);
  checkDroppedListings(t, world);
}

t.test('known addresses in the fixtures have the expected records', async (t) => {
  const world = worldOf(await readLists(FIXTURES, { day: DAY }));
  checkDataset(t, world, KNOWN_IN_FIXTURES);
  checkGithub(t, world, join(FIXTURES, 'cloud/github-meta.json'));
});

const NEEDED = ['ip2proxy', 'x4bnet', 'vpn-providers', 'spamhaus', 'cloud', 'apple-relay', 'tor'];

t.test(
  "known addresses in the publishers' own files have the expected records",
  { skip: withoutReal(NEEDED) },
  async (t) => {
    const world = worldOf([
      ...(await readLists(REAL_FILES, { day: DAY })),
      ...(await readLists(FIXTURES, { day: DAY, ids: ['open-proxies', 'crawlers'] })),
    ]);
    checkDataset(t, world, KNOWN_IN_REAL);
    checkGithub(t, world, join(REAL_FILES, 'cloud/github-meta.json'));
  },
);
