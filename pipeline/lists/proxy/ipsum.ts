import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { headerDay } from '../header-day.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { readRawLines } from '../raw-lines.js';
import { SingleAddresses } from './single-addresses.js';

/**
 * IPsum (https://github.com/stamparm/ipsum): addresses with the number of blocklists that contain them. Its claims are
 * threats, never a kind of proxy. The label is SCANNER: most of the blocklists come from honeypots and login guards,
 * and the addresses with the highest numbers are known scanners.
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

/** The minimum number of blocklists. Nearly every Tor exit is in one, and a sixth of them in three. */
const LEAST_BLOCKLISTS = 3;

/** Reads the day in the comments, then rows `address<TAB>count`. */
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
