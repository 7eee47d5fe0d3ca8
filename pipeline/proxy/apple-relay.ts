import { readCsvRows } from '../feeds/csv-rows.js';
import type { OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import { onlyLayer, type List, type ListSink } from '../lists/list.js';
import { plainFile } from '../lists/plain-file.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import { readTextLines } from '../lists/text-lines.js';

const PUBLISHED = 'egress-ip-ranges.csv';
const MIRRORED = 'ip-ranges.txt';
const URL = `https://mask-api.icloud.com/${PUBLISHED}`;

/**
 * Egress networks of iCloud Private Relay
 * (https://developer.apple.com/support/prepare-your-network-for-icloud-private-relay/). The places in it are where
 * the users are, not the hosts: they are not read.
 */
export const APPLE_RELAY: List = {
  id: 'apple-relay',
  publisher: 'Apple',
  licence: {
    name: 'Apple, public',
    url: URL,
    terms: 'unstated',
  },
  files: [
    { ...plainFile('apple-relay', PUBLISHED, { url: URL, minBytes: 500_000 }), alternatives: [MIRRORED] },
    { ...plainFile('apple-relay', MIRRORED), alternatives: [PUBLISHED] },
  ],
  cadence: 'about daily',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 90,
  layers: ['egress'],
  combine: onlyLayer,
  read: (files, sinkFor) =>
    readEach('apple-relay', files, async (file) => {
      const sink = sinkFor(file);
      await (file.name === PUBLISHED ? readEgress(file, sink) : readMirror(file, sink));
    }),
};

const RELAY = { type: 'CPN', provider: 'Apple iCloud Private Relay', usageType: 'DCH' } as const;

/** `cidr,country,region,city,`: the last column is empty, and the first line is a row. */
const COLUMNS = 5;

async function readEgress(file: OpenFile, sink: ListSink): Promise<void> {
  const prefixes = new PrefixTexts(sink);
  const claim = sink.intern(RELAY);
  await readCsvRows(
    file,
    readUnpacked(file),
    { delimiter: ',', quote: true },
    {
      row: (fields, position) => {
        if (fields.length !== COLUMNS) sink.reject('columns', position, fields.join(','));
        else prefixes.add(fields[0]!, claim, { position });
      },
      bad: (reason, position, excerpt) => {
        sink.reject(reason, position, excerpt);
      },
    },
  );
}

/** A mirror (https://github.com/hroost/icloud-private-relay-iplist): networks and bare addresses, one per line. */
async function readMirror(file: OpenFile, sink: ListSink): Promise<void> {
  const prefixes = new PrefixTexts(sink);
  const claim = sink.intern(RELAY);
  await readTextLines(file, sink, (text, position) => {
    prefixes.add(text, claim, { position });
  });
}
