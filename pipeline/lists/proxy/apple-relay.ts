import { readCsvRows } from '../../input/rows/csv-rows.js';
import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readUnpacked } from '../../input/containers/unpacked-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { PrefixTexts } from '../prefix-texts.js';
import { readTextLines } from '../text-lines.js';

const PUBLISHED = 'egress-ip-ranges.csv';
const MIRRORED = 'ip-ranges.txt';
const URL = `https://mask-api.icloud.com/${PUBLISHED}`;

/**
 * The egress networks of iCloud Private Relay
 * (https://developer.apple.com/support/prepare-your-network-for-icloud-private-relay/). The locations in the file are
 * those of users, not of hosts, and are not read.
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
    {
      ...plainFile('apple-relay', PUBLISHED, { url: URL, minBytes: 500_000 }),
      alternatives: [MIRRORED],
      maxUnpackedBytes: 128_000_000,
    },
    {
      ...plainFile('apple-relay', MIRRORED),
      alternatives: [PUBLISHED],
      maxUnpackedBytes: 128_000_000,
    },
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

/** `cidr,country,region,city,`. The last column is empty. There is no header. */
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

/** Reads a mirror (https://github.com/hroost/icloud-private-relay-iplist): a network or an address per line. */
async function readMirror(file: OpenFile, sink: ListSink): Promise<void> {
  const prefixes = new PrefixTexts(sink);
  const claim = sink.intern(RELAY);
  await readTextLines(file, sink, (text, position) => {
    prefixes.add(text, claim, { position });
  });
}
