import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { plainFile } from '../plain-file.js';
import { readTextLines } from '../text-lines.js';
import { SingleAddresses } from './single-addresses.js';

/** The labels in output order. Each is a layer. */
const LABELS = ['SPAM', 'SCANNER'] as const;
type Label = (typeof LABELS)[number];

/** The label for the attackers of each service: mail and bots send spam, the others scan for logins. */
const LABEL_OF: Readonly<Record<string, Label>> = {
  'ssh.txt': 'SCANNER',
  'mail.txt': 'SPAM',
  'apache.txt': 'SCANNER',
  'bots.txt': 'SPAM',
  'bruteforcelogin.txt': 'SCANNER',
};

/**
 * blocklist.de (https://www.blocklist.de/en/export.html): addresses that attacked services of its reporters in the last
 * 48 hours, with a file per service. Its claims are threats, never a kind of proxy.
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

/** Reads one address per line, of either family. */
async function readAttackers(file: OpenFile, sink: ListSink): Promise<void> {
  const label = LABEL_OF[file.name]!;
  const addresses = new SingleAddresses(sink, LABELS.indexOf(label));
  const claimId = sink.intern({ threats: [label] });
  await readTextLines(file, sink, (text, line) => {
    addresses.add(text, claimId, { position: line });
  });
}
