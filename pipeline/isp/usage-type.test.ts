import t from 'tap';
import { cloudOf, CLOUD_PRECEDENCE } from './cloud.js';
import { providerName } from './provider-names.js';
import type { Listing } from './listings.js';
import { listing } from './testing/listings.js';
import { usageTypeOf } from './usage-type.js';

const usage = (listings: readonly Listing[], usageOfAs?: string, asn?: number) =>
  usageTypeOf(listings, { asn, usage: usageOfAs, isAccess: false });

const EC2 = listing('aws', { cloud: 'Amazon AWS' });
const EDGE = listing('fastly', { cloud: 'Fastly', isEdge: true });
const CRAWLER = listing('crawlers', { type: 'SES' });
const RELAY = listing('apple-relay', { type: 'CPN', usageType: 'DCH' });

t.test('IP2Proxy’s usage type is used unchanged', (t) => {
  for (const usageType of ['ISP/MOB', 'COM', 'LIB', 'NEW/ONE']) {
    t.equal(usage([EDGE, EC2, CRAWLER, listing('ip2proxy', { usageType })], 'ISP'), usageType);
  }
  t.equal(usage([listing('ip2proxy', { type: 'VPN' })]), undefined);
  t.end();
});

t.test('a relay behind an edge is in a data centre: usage CDN would make its score 0', (t) => {
  t.equal(usage([EDGE, RELAY]), 'DCH');
  t.end();
});

t.test('otherwise it is derived from edge, crawler, data centre', (t) => {
  t.equal(usage([EC2, CRAWLER, EDGE]), 'CDN');
  t.equal(usage([EC2, CRAWLER]), 'SES');
  t.equal(usage([listing('crawlers', { type: 'AIC' }), EC2]), 'SES');
  t.equal(usage([EC2], 'ISP'), 'DCH');
  t.equal(usage([listing('x4bnet', { type: 'VPN', isHosting: true })]), 'DCH');
  t.equal(usage([listing('x4bnet', { type: 'VPN' })], undefined, 9009), 'DCH');
  t.equal(usage([listing('x4bnet', { type: 'VPN' })]), undefined);
  t.equal(usage([listing('gcp', { cloud: 'Google' })]), undefined);
  t.equal(
    usage([listing('b', { usageType: 'GOV' }), listing('a', { usageType: 'ORG' })]),
    'GOV',
    'others by name',
  );
  t.end();
});

t.test('otherwise it is the use of the announcing network', (t) => {
  t.equal(usage([], 'ISP/MOB'), 'ISP/MOB');
  t.equal(usage([listing('x4bnet', { type: 'VPN' })], 'EDU'), 'EDU');
  t.equal(usage([]), undefined, 'an unknown network has no usage type');
  t.end();
});

t.test('clouds with published files have one order before all others', (t) => {
  const named = CLOUD_PRECEDENCE.map((list) => listing(list, { cloud: list, service: `service of ${list}` }));
  const byAs = listing('an-as', { cloud: 'OVHcloud' });
  for (let i = 0; i < named.length; i++) {
    const list = CLOUD_PRECEDENCE[i]!;
    t.same(cloudOf([byAs, ...named.slice(i).reverse()]), { provider: list, service: `service of ${list}` });
  }
  t.same(cloudOf([byAs]), { provider: 'OVHcloud' });
  t.equal(cloudOf([CRAWLER]), undefined);
  t.end();
});

t.test('brands have IP2Proxy’s spelling', (t) => {
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
  t.equal(providerName('24Shells'), '24Shells', 'other names are unchanged');
  t.equal(providerName('小明 VPN'), '小明 VPN');
  t.end();
});
