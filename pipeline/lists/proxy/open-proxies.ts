import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { readAvastel } from './avastel.js';
import { joinOpenProxies, OPEN_PROXY_LAYERS } from './open-proxy-layers.js';
import { readScrapedProxies } from './scraped-proxies.js';
import { readTestedProxies } from './tested-proxies.js';

/**
 * Open proxies and proxies in homes, from three publishers: tested proxies by their exit address
 * (https://github.com/monosans/proxy-list), scraped proxies (https://github.com/ErcinDedeoglu/proxies), and addresses
 * used by bots (https://github.com/antoinevastel/avastel-bot-ips-lists).
 */
export const OPEN_PROXIES: List = {
  id: 'open-proxies',
  publisher: 'monosans, Ercin Dedeoglu, Avastel',
  licence: {
    name: 'MIT',
    url: 'https://opensource.org/license/mit',
    attribution:
      'Open proxies: © 2022 monosans, © 2022 Ercin Dedeoglu, Antoine Vastel (https://github.com/antoinevastel/avastel-bot-ips-lists)',
    terms: 'free',
  },
  files: [
    proxyFile('proxies.json', 'monosans/proxy-list/main', 20_000),
    ...['http.txt', 'https.txt', 'socks4.txt', 'socks5.txt'].map((name) =>
      proxyFile(name, 'ErcinDedeoglu/proxies/main/proxies', 1_000),
    ),
    // 500,000 addresses of some 40 bytes.
    { ...avastelFile('1day'), maxUnpackedBytes: 128_000_000 },
    avastelFile('blocklist-5days'),
    avastelFile('blocklist-8days'),
  ],
  cadence: 'hourly and daily',
  version: 1,
  tolerance: 0.05,
  maxAgeDays: 30,
  foldMapped: true,
  layers: OPEN_PROXY_LAYERS,
  combine: joinOpenProxies,
  read: (files, sinkFor) => readEach('open-proxies', files, (file) => readerOf(file)(file, sinkFor(file))),
};

function proxyFile(name: string, at: string, minBytes: number): PublishedFile {
  const url = `https://raw.githubusercontent.com/${at}/${name}`;
  return plainFile('open-proxies', name, { url, minBytes });
}

function avastelFile(span: string): PublishedFile {
  return proxyFile(`avastel-proxy-bot-ips-${span}.txt`, 'antoinevastel/avastel-bot-ips-lists/master', 2_000);
}

function readerOf({ name }: OpenFile): (file: OpenFile, sink: ListSink) => Promise<void> {
  if (name === 'proxies.json') return readTestedProxies;
  return name.startsWith('avastel-') ? readAvastel : readScrapedProxies;
}
