import t from 'tap';
import { cloudOf, CLOUD_PRECEDENCE } from './cloud-precedence.js';
import { providerName } from './provider-names.js';
import type { Hit } from './service.js';
import { hit } from './testing/hits.js';
import { usageTypeOf } from './usage-type.js';

const usage = (hits: readonly Hit[], networkType?: string, asn?: number) =>
  usageTypeOf(hits, { asn, networkType });

const EC2 = hit('aws', { cloud: 'Amazon AWS' });
const EDGE = hit('fastly', { cloud: 'Fastly', isEdge: true });
const CRAWLER = hit('crawlers', { type: 'SES' });
const RELAY = hit('apple-relay', { type: 'CPN', usageType: 'DCH' });

t.test('usage is what IP2Proxy says, as it says it', (t) => {
  for (const usageType of ['ISP/MOB', 'COM', 'LIB', 'NEW/ONE']) {
    t.equal(usage([EDGE, EC2, CRAWLER, hit('ip2proxy', { usageType })], 'NSP'), usageType);
  }
  t.equal(usage([hit('ip2proxy', { type: 'VPN' })]), undefined);
  t.end();
});

t.test('a relay is in a data centre even behind an edge, which would make its score 0', (t) => {
  t.equal(usage([EDGE, RELAY]), 'DCH');
  t.end();
});

t.test('else it is what lists come to: edge, crawler, data centre', (t) => {
  t.equal(usage([EC2, CRAWLER, EDGE]), 'CDN');
  t.equal(usage([EC2, CRAWLER]), 'SES');
  t.equal(usage([hit('crawlers', { type: 'AIC' }), EC2]), 'SES');
  t.equal(usage([EC2], 'Cable/DSL/ISP'), 'DCH');
  t.equal(usage([hit('x4bnet', { type: 'VPN', isHosting: true })]), 'DCH');
  t.equal(usage([hit('x4bnet', { type: 'VPN' })], undefined, 9009), 'DCH');
  t.equal(usage([hit('x4bnet', { type: 'VPN' })]), undefined);
  t.equal(usage([hit('gcp', { cloud: 'Google' })]), undefined);
  t.equal(usage([hit('b', { usageType: 'GOV' }), hit('a', { usageType: 'ORG' })]), 'GOV', 'others by name');
  t.end();
});

t.test('else it is the kind of network, where that says enough', (t) => {
  const table: [string, string | undefined][] = [
    ['Cable/DSL/ISP', 'ISP'],
    ['NSP', 'ISP'],
    ['Educational/Research', 'EDU'],
    ['Government', 'GOV'],
    ['Enterprise', 'COM'],
    ['Non-Profit', 'ORG'],
    ['Content', undefined],
    ['Route Server', undefined],
    ['Route Collector', undefined],
    ['Network Services', undefined],
    ['Not Disclosed', undefined],
    ['', undefined],
  ];
  for (const [networkType, expected] of table) t.equal(usage([], networkType), expected, networkType);
  t.equal(usage([]), undefined, 'nothing known is no subscriber');
  t.end();
});

t.test('clouds with files stand in one order before all others', (t) => {
  const named = CLOUD_PRECEDENCE.map((list) => hit(list, { cloud: list, service: `service of ${list}` }));
  const byAs = hit('an-as', { cloud: 'OVHcloud' });
  for (let i = 0; i < named.length; i++) {
    const list = CLOUD_PRECEDENCE[i]!;
    t.same(cloudOf([byAs, ...named.slice(i).reverse()]), { provider: list, service: `service of ${list}` });
  }
  t.same(cloudOf([byAs]), { provider: 'OVHcloud' });
  t.equal(cloudOf([CRAWLER]), undefined);
  t.end();
});

t.test('brands are spelt as IP2Proxy spells them', (t) => {
  const spelt = [
    'NordVPN',
    'ExpressVPN',
    'Private Internet Access',
    'SurfShark VPN',
    'ProtonVPN',
    'Mullvad',
    'HideMyAss',
    'TunnelBear',
    'CloudFlare WARP',
    'VPN by Google',
    'SoftEther VPN',
    'Apple iCloud Private Relay',
    'Google Chrome IP Protection',
    'Zscaler',
    'Netskope',
    'Palo Alto Networks',
    'Webshare',
    'Oxylabs',
  ];
  for (const name of spelt) {
    t.equal(providerName(name), name);
    t.equal(providerName(` ${name.toLowerCase().replaceAll(' ', '-')}`), name, `another spelling of ${name}`);
  }
  t.equal(providerName('Proton'), 'ProtonVPN');
  t.equal(providerName('PIA'), 'Private Internet Access');
  t.equal(providerName('Surfshark'), 'SurfShark VPN');
  t.equal(providerName('24Shells'), '24Shells', 'others stay as they are');
  t.equal(providerName('小明 VPN'), '小明 VPN');
  t.end();
});
