import { columnsByName } from '../feeds/csv-rows.js';
import type { Download, FeedFile, OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import { onlyLayer, type List } from '../lists/list.js';
import { plainFile } from '../lists/plain-file.js';
import { readTextLines } from '../lists/text-lines.js';
import { readExitDetails } from './tor-details.js';
import { readExitStanzas } from './tor-exit-stanzas.js';
import { Exits, type ExitSink } from './tor-exits.js';

/** Names of the files that list the same addresses; the details know IPv6 besides. */
const FORMS: readonly string[] = ['exit-addresses', 'torbulkexitlist', 'latest.exits.csv'];

/**
 * Exits of the Tor network, address by address. Never guards and middle relays: nobody is seen there, and they are
 * five times as many. Whatever files are there are read together; of an address the latest sighting counts.
 */
export const TOR: List = {
  id: 'tor',
  publisher: 'The Tor Project',
  licence: { name: 'The Tor Project, public', url: 'https://check.torproject.org/', terms: 'free' },
  files: [
    exitFile('exit-addresses', { url: 'https://check.torproject.org/exit-addresses', minBytes: 20_000 }),
    exitFile('details.json', {
      // Only the fields that are asked for come: with `flags` the file itself says who is an exit.
      url:
        'https://onionoo.torproject.org/details?type=relay&flag=Exit' +
        '&fields=exit_addresses,or_addresses,last_seen,running,flags,nickname,as,as_name',
      minBytes: 50_000,
    }),
    exitFile('torbulkexitlist', { url: 'https://check.torproject.org/torbulkexitlist', minBytes: 2_000 }),
    exitFile('latest.exits.csv'),
  ],
  cadence: 'hourly',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 2,
  layers: ['exits'],
  combine: onlyLayer,
  read: async (files, sinkFor) => {
    const exits = new Exits();
    await readEach('tor', files, (file) => READERS[file.name]!(file, exits.sinkFor(sinkFor(file))));
    exits.insert();
  },
};

function exitFile(name: string, download?: Download): FeedFile {
  const isForm = FORMS.includes(name);
  return {
    ...plainFile('tor', name, download),
    ...(isForm && { alternatives: FORMS.filter((other) => other !== name) }),
  };
}

const READERS: Readonly<Record<string, (file: OpenFile, sink: ExitSink) => Promise<void>>> = {
  'exit-addresses': readExitStanzas,
  'details.json': readExitDetails,
  torbulkexitlist: readBulkList,
  'latest.exits.csv': readMirror,
};

/** An address per line, IPv4 alone. */
async function readBulkList(file: OpenFile, sink: ExitSink): Promise<void> {
  await readTextLines(file, sink, (text, line) => {
    sink.exit(text, undefined, line);
  });
}

/** A mirror's `fingerprint, ipaddr, port`, spaces and all; an address has a row per relay behind it. */
async function readMirror(file: OpenFile, sink: ExitSink): Promise<void> {
  let header: readonly string[] | undefined;
  await readTextLines(file, sink, (text, line) => {
    const fields = text.split(',').map((field) => field.trim());
    if (!header) {
      columnsByName(fields, { of: 'the header', required: MIRROR_COLUMNS }, file);
      header = fields;
    } else if (fields.length !== header.length) sink.reject('columns', line, text);
    else sink.exit(fields[header.indexOf('ipaddr')]!, undefined, line);
  });
}

const MIRROR_COLUMNS = ['fingerprint', 'ipaddr', 'port'] as const;
