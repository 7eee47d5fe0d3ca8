import type { DohResolver } from '../config.js';

/**
 * Public resolvers by index. The index is part of the API and never changes. The addresses are the ones on the
 * publisher's page; the list is empty where the page names none.
 */
export const DOH_RESOLVERS: readonly DohResolver[] = [
  { name: 'Google', url: 'https://dns.google/dns-query', addresses: ['8.8.8.8', '8.8.4.4'] },
  {
    name: 'Cloudflare',
    url: 'https://cloudflare-dns.com/dns-query',
    addresses: ['104.16.248.249', '104.16.249.249'],
  },
  {
    name: 'Quad9 (ECS, unfiltered)',
    url: 'https://dns12.quad9.net/dns-query',
    addresses: ['9.9.9.12', '149.112.112.12'],
  },
  { name: 'AliDNS', url: 'https://dns.alidns.com/dns-query', addresses: ['223.5.5.5', '223.6.6.6'] },
  { name: 'DNSPod', url: 'https://doh.pub/dns-query', addresses: [] },
  { name: '360', url: 'https://doh.360.cn/dns-query', addresses: [] },
  {
    name: 'AdGuard (unfiltered)',
    url: 'https://unfiltered.adguard-dns.com/dns-query',
    addresses: ['94.140.14.140', '94.140.14.141'],
  },
  { name: 'OpenDNS', url: 'https://doh.opendns.com/dns-query', addresses: ['146.112.41.2'] },
  { name: 'NextDNS', url: 'https://dns.nextdns.io/dns-query', addresses: ['45.90.28.0', '45.90.30.0'] },
  { name: 'Control D', url: 'https://freedns.controld.com/p0', addresses: ['76.76.2.11'] },
  { name: 'DNS.SB', url: 'https://doh.dns.sb/dns-query', addresses: ['185.222.222.222', '45.11.45.11'] },
  { name: 'Mullvad', url: 'https://dns.mullvad.net/dns-query', addresses: ['194.242.2.2'] },
  {
    name: 'Yandex',
    url: 'https://common.dot.dns.yandex.net/dns-query',
    addresses: ['77.88.8.8', '77.88.8.1'],
  },
  { name: 'IIJ', url: 'https://public.dns.iij.jp/dns-query', addresses: [] },
];
