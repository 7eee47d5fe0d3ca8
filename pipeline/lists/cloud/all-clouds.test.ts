import t from 'tap';
import type { List } from '../list.js';
import type { ListTrial } from '../testing/list-trial.js';
import { IPV4_DEPTH } from '../../net/address.js';
import { ABSENT, zip } from '../../table/zip.js';
import { AWS } from './aws.js';
import { AZURE } from './azure.js';
import { CLOUD_FOLDER } from '../../input/cloud/cloud-file.js';
import { CLOUDFLARE } from './cloudflare.js';
import { DIGITALOCEAN } from './digitalocean.js';
import { FASTLY } from './fastly.js';
import { GCP } from './gcp.js';
import { GITHUB } from './github.js';
import { HOSTING_NETWORKS } from './hosting-networks.js';
import { LINODE } from './linode.js';
import { ORACLE } from './oracle.js';
import { tryFixtures, tryPublished, withoutPublished } from './testing/cloud-trial.js';
import { VULTR } from './vultr.js';
import { ZSCALER } from './zscaler.js';

/** All lists, with the names of their fixtures and of the publishers' files. */
const ALL: readonly (readonly [List, fixtures: readonly string[], published: readonly string[]])[] = [
  [AWS, ['ip-ranges.json'], ['ip-ranges.json']],
  [GCP, ['cloud.json', 'goog.json'], ['cloud.json']],
  [AZURE, ['ServiceTags_Public_20261116.json'], ['ServiceTags_Public_20250721.json.gz']],
  [ORACLE, ['public_ip_ranges.json'], ['public_ip_ranges.json']],
  [CLOUDFLARE, ['ips-v4', 'ips-v6'], ['ips-v4', 'ips-v6']],
  [FASTLY, ['public-ip-list'], ['public-ip-list']],
  [DIGITALOCEAN, ['google.csv'], ['google.csv']],
  [LINODE, ['linode.txt'], ['linode.txt']],
  [VULTR, ['vultr.json'], []],
  [GITHUB, ['github-meta.json'], ['github-meta.json']],
  [ZSCALER, ['zscaler.json'], ['zscaler.json']],
];

/** Counts the IPv4 addresses and the IPv6 networks with claims of several lists, by the ids of the lists. */
function overlapsOf(trials: ReadonlyMap<string, ListTrial>): Record<string, number> {
  const ids = [...trials.keys()];
  const combinations: string[] = [];
  const together = zip(
    [...trials.values()].map(({ table }) => table),
    (said) => {
      const here = ids.filter((_, i) => said[i] !== ABSENT);
      return here.length < 2 ? ABSENT : combinations.push(here.join(' ')) - 1;
    },
  );
  const overlaps: Record<string, number> = {};
  together.forEach((_, length, recordId) => {
    const key = combinations[recordId]! + (length < IPV4_DEPTH ? ' (IPv6)' : '');
    overlaps[key] = (overlaps[key] ?? 0) + (length < IPV4_DEPTH ? 1 : 2 ** (128 - length));
  });
  return overlaps;
}

t.test('every file belongs to one list', (t) => {
  const files = ALL.flatMap(([{ files }]) => files);
  t.equal(new Set(files.map(({ name }) => name)).size, files.length);
  for (const { folder, name, required, download } of files) {
    t.equal(folder, CLOUD_FOLDER, name);
    t.equal(required, false, name);
    t.equal(download === undefined, name.endsWith('.gz'), name);
  }
  t.equal(new Set(ALL.map(([{ id }]) => id)).size, ALL.length);
  t.end();
});

t.test('a list names the provider of the cloud, or none', async (t) => {
  const labels: Record<string, string[]> = {};
  for (const [list, names] of ALL) {
    const { claims } = await tryFixtures(list, ...names);
    labels[list.id] = [...new Set(claims.map(({ cloud = 'none' }) => cloud))].sort();
    const isConsistent = claims.every(({ cloud, usageType, isEdge, type }) =>
      cloud === undefined ? type === 'EPN' : usageType === (isEdge === true ? 'CDN' : 'DCH') && !type,
    );
    t.ok(isConsistent, list.id);
  }
  t.same(labels, {
    aws: ['Amazon AWS'],
    gcp: ['Google', 'Google Cloud'],
    azure: ['Microsoft Azure'],
    oracle: ['Oracle Cloud'],
    cloudflare: ['Cloudflare'],
    fastly: ['Fastly'],
    digitalocean: ['DigitalOcean'],
    linode: ['Linode'],
    vultr: ['Vultr'],
    github: ['GitHub'],
    zscaler: ['none'],
  });
});

t.test('an overlap of two lists is found, in both families', async (t) => {
  const trials = new Map<string, ListTrial>();
  for (const id of ['fastly', 'again']) trials.set(id, await tryFixtures(FASTLY, 'public-ip-list'));
  trials.set('cloudflare', await tryFixtures(CLOUDFLARE, 'ips-v4', 'ips-v6'));
  t.same(overlapsOf(trials), { 'fastly again': 304_128, 'fastly again (IPv6)': 2 });
});

const skip = withoutPublished(...ALL.flatMap(([, , published]) => published));

t.test(
  'of the publishers’ own files only GitHub’s lies in another’s, in single addresses',
  { skip },
  async (t) => {
    const trials = new Map<string, ListTrial>();
    for (const [list, , published] of ALL) {
      if (published.length > 0) trials.set(list.id, await tryPublished(list, ...published));
    }
    const overlaps = overlapsOf(trials);
    for (const [lists, count] of Object.entries(overlaps)) t.comment(`${lists}: ${count}`);
    t.same(overlaps, { 'azure github': 54 });
    t.match(
      trials.get('azure')!.claimAt('20.200.245.247'),
      { cloud: 'Microsoft Azure' },
      'GitHub rents there: its word is the narrower',
    );
  },
);

t.test('an AS of a provider without a list is found by its number', (t) => {
  const providerOf = new Map(HOSTING_NETWORKS.map(({ asn, provider }) => [asn, provider]));
  t.equal(providerOf.get(24940), 'Hetzner');
  t.notOk(providerOf.has(16509), 'AWS has a list');
  t.notOk(providerOf.has(29447), 'an access network');
  t.equal(new Set(HOSTING_NETWORKS.map(({ asn }) => asn)).size, HOSTING_NETWORKS.length);
  t.end();
});
