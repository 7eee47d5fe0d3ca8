import type { OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import type { List, ListSink } from '../lists/list.js';
import type { ListClaim } from '../lists/list-claim.js';
import { plainFile } from '../lists/plain-file.js';
import { readTextLines } from '../lists/text-lines.js';
import { SingleAddresses } from './single-addresses.js';

/** Labels in the order in which they are told; each is a layer. */
const LABELS = ['SPAM', 'SCANNER'] as const;
type Label = (typeof LABELS)[number];

/** What a service's attackers are: those who send mail or post through bots spam, the rest try doors. */
const LABEL_OF: Readonly<Record<string, Label>> = {
  'ssh.txt': 'SCANNER',
  'mail.txt': 'SPAM',
  'apache.txt': 'SCANNER',
  'bots.txt': 'SPAM',
  'bruteforcelogin.txt': 'SCANNER',
};

/**
 * blocklist.de (https://www.blocklist.de/en/export.html): addresses that attacked one of its reporters' services in
 * the last 48 hours, a file per service. A threat and never a kind of proxy.
 */
export const BLOCKLIST_DE: List = {
  id: 'blocklist-de',
  publisher: 'blocklist.de',
  licence: {
    name: 'no terms stated',
    url: 'https://www.blocklist.de/en/export.html',
    terms: 'unstated',
  },
  files: Object.keys(LABEL_OF).map((name) =>
    plainFile('blocklist-de', name, { url: `https://lists.blocklist.de/lists/${name}`, minBytes: 100 }),
  ),
  cadence: 'every half hour',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 7,
  foldMapped: true,
  layers: LABELS,
  combine: joinLabels,
  read: (files, sinkFor) => readEach('blocklist-de', files, (file) => readAttackers(file, sinkFor(file))),
};

function joinLabels(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  const threats = claims.flatMap((claim) => claim?.threats ?? []);
  return threats.length > 0 ? { threats } : undefined;
}

/** An address per line, of either family. */
async function readAttackers(file: OpenFile, sink: ListSink): Promise<void> {
  const label = LABEL_OF[file.name]!;
  const addresses = new SingleAddresses(sink, LABELS.indexOf(label));
  const claimId = sink.intern({ threats: [label] });
  await readTextLines(file, sink, (text, line) => {
    addresses.add(text, claimId, { position: line });
  });
}
