import { columnsByName } from '../../input/rows/csv-rows.js';
import type { Download, PublishedFile, OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List } from '../list.js';
import { plainFile } from '../plain-file.js';
import { readTextLines } from '../text-lines.js';
import { readExitDetails } from './tor-details.js';
import { readExitStanzas } from './tor-exit-stanzas.js';
import { Exits, type ExitSink } from './tor-exits.js';

/** The files with the same IPv4 addresses. `details.json` also has IPv6. */
const FORMS: readonly string[] = ['exit-addresses', 'torbulkexitlist', 'latest.exits.csv'];

/**
 * The exits of the Tor network, by address. Guards and middle relays, five times as many, are not read: websites never
 * see them. All files are read together, and the latest sighting of an address is used.
 */
export const TOR: List = {
  id: 'tor',
  publisher: 'The Tor Project',
  licence: { name: 'The Tor Project, public', url: 'https://check.torproject.org/', terms: 'free' },
  files: [
    exitFile('exit-addresses', { url: 'https://check.torproject.org/exit-addresses', minBytes: 20_000 }),
    exitFile('details.json', {
      // The answer has only the requested fields. With `flags` the file itself shows which relays are exits.
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

function exitFile(name: string, download?: Download): PublishedFile {
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

/** Reads one IPv4 address per line. */
async function readBulkList(file: OpenFile, sink: ExitSink): Promise<void> {
  await readTextLines(file, sink, (text, line) => {
    sink.exit(text, undefined, line);
  });
}

/** Reads a mirror: `fingerprint, ipaddr, port` with spaces. An address has a row per relay. */
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
