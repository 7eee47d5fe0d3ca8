import type { OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import { headerDay } from '../lists/header-day.js';
import { onlyLayer, type List, type ListSink } from '../lists/list.js';
import { plainFile } from '../lists/plain-file.js';
import { readRawLines } from '../lists/raw-lines.js';
import { SingleAddresses } from './single-addresses.js';

/**
 * IPsum (https://github.com/stamparm/ipsum): addresses with the number of blocklists that name each. A threat and
 * never a kind of proxy. SCANNER, because the blocklists it counts are mostly those of honeypots and login guards,
 * and its first rows the internet's known scanners.
 */
export const IPSUM: List = {
  id: 'ipsum',
  publisher: 'Miroslav Stampar',
  licence: {
    name: 'The Unlicense',
    url: 'https://unlicense.org/',
    terms: 'free',
  },
  files: [
    plainFile('ipsum', 'ipsum.txt', {
      url: 'https://raw.githubusercontent.com/stamparm/ipsum/master/ipsum.txt',
      minBytes: 200_000,
    }),
  ],
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 7,
  foldMapped: true,
  layers: ['blocklisted'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('ipsum', files, (file) => readIpsum(file, sinkFor(file))),
};

/** Blocklists that must name an address: nearly every Tor exit is in one, a sixth of them in three. */
const LEAST_BLOCKLISTS = 3;

/** `address<TAB>count` behind comments, one of which has the day. */
async function readIpsum(file: OpenFile, sink: ListSink): Promise<void> {
  const addresses = new SingleAddresses(sink);
  let day: number | undefined;
  let claimId: number | undefined;
  await readRawLines(file, sink, (text, line) => {
    if (text.startsWith('#')) {
      day ??= headerDay(text);
      return;
    }
    claimId ??= sink.intern({ threats: ['SCANNER'], ...(day !== undefined && { lastSeen: day }) });
    const tab = text.indexOf('\t');
    const count = tab < 0 ? undefined : parseCount(text.slice(tab + 1));
    if (count === undefined) sink.reject('columns', line, text);
    else if (count < LEAST_BLOCKLISTS) sink.skip();
    else addresses.add(text.slice(0, tab), claimId, { position: line, excerpt: text });
  });
}

function parseCount(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
