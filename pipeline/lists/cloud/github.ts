import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../../input/json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { PrefixBuffer } from '../../net/prefix.js';
import { cloudFile } from '../../input/cloud/cloud-file.js';
import { CLOUD_TERMS, hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';
import { JsonRows } from '../../input/rows/json-rows.js';

/**
 * GitHub's address ranges (https://docs.github.com/en/rest/meta/meta): a list of prefixes per service, besides keys of
 * other kinds. `actions` and `codespaces` are in Azure's space, where anyone can run programs. Their prefixes, and
 * those of other lists, are skipped (note `skipped`).
 */
export const GITHUB: List = {
  id: 'github',
  publisher: 'GitHub',
  licence: {
    name: 'GitHub meta API, published for everyone',
    url: 'https://docs.github.com/en/rest/meta/meta',
    terms: 'free',
  },
  files: [
    cloudFile('github-meta.json', {
      url: 'https://api.github.com/meta',
      saveAs: 'github-meta.json',
      minBytes: 20_000,
    }),
  ],
  cadence: 'as networks change',
  ...CLOUD_TERMS,
  layers: ['cloud'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('github', files, (file) => readMeta(file, sinkFor(file))),
};

/** The services that are read. Most share their prefixes; a prefix gets the first service that has it. */
const SERVICES = ['web', 'api', 'git', 'hooks', 'pages', 'copilot'] as const;

const document = z.record(z.string(), z.unknown());

async function readMeta(file: OpenFile, sink: ListSink): Promise<void> {
  const meta = await readJsonFile(file, document);
  const networks = new CloudNetworks(sink, (label) => hostingClaim('GitHub', label));
  const rows = new JsonRows(sink);
  let found = 0;
  for (const service of SERVICES) {
    const prefixes = meta[service];
    if (!Array.isArray(prefixes)) continue;
    found += prefixes.length;
    rows.read(prefixes, z.string(), (prefix, position) => {
      networks.add(prefix, { service }, position);
    });
  }
  if (found === 0) throw new FeedError('header', file.id, `no list of prefixes among ${SERVICES.join(', ')}`);
  noteOthers(meta, sink);
}

function noteOthers(meta: Readonly<Record<string, unknown>>, sink: ListSink): void {
  const prefix = new PrefixBuffer();
  for (const [key, value] of Object.entries(meta)) {
    if (!Array.isArray(value) || SERVICES.some((service) => service === key)) continue;
    for (const entry of value) if (typeof entry === 'string' && prefix.parse(entry)) sink.note('skipped');
  }
}
