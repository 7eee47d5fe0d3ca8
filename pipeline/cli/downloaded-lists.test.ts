import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Reader } from 'maxmind';
import t from 'tap';
import { build, copyFeeds, outputFolder, served } from './testing/command-line.js';

/** The fields of a record that the tests read. */
interface ServiceRecord {
  readonly is_anonymous?: boolean;
  readonly proxy?: { readonly type?: string };
}

const LISTS = {
  'x4bnet/vpn/ipv4.txt': '193.32.1.0/24\n172.224.226.0/24\n193.32.9.0/24\n',
  'tor/torbulkexitlist': '185.220.101.1\n',
  'apple-relay/egress-ip-ranges.csv': '172.224.226.0/27,GB,GB-EN,London,\n',
  'own/allow-list.csv': 'prefix,scope,reason\n193.32.9.0/24,*,our office\n',
  'own/deny-list.csv': 'prefix,type\n24.129.9.7,VPN\n1.1.1.1,VPN\n',
};

const FEEDS = copyFeeds(t);
for (const folder of ['tor', 'x4bnet', 'apple-relay'])
  rmSync(join(FEEDS, folder), { recursive: true, force: true });
for (const [file, text] of Object.entries(LISTS)) {
  mkdirSync(dirname(join(FEEDS, file)), { recursive: true });
  writeFileSync(join(FEEDS, file), text);
}
const OUTPUT = outputFolder(t);
const BUILD_FEEDS = 'own,geolite2,tor,x4bnet,apple-relay,operator-lists';
const settings = { BUILD_FEEDS, FEEDS, OUTPUT, SOURCE_DATE_EPOCH: '1795046400' };
const first = await build(t, settings);

function typesIn(name: string): (ip: string) => string | undefined {
  const reader = new Reader<ServiceRecord & { readonly isp: string }>(
    readFileSync(join(OUTPUT, 'current', name)),
  );
  return (ip) => reader.get(ip)?.proxy?.type;
}

t.test('own allow and deny rows decide isp.mmdb, and are in no download', async (t) => {
  const [served, downloaded] = [typesIn('isp.mmdb'), typesIn('download/isp.mmdb')];
  t.equal(served('24.129.9.7'), 'VPN');
  t.equal(downloaded('24.129.9.7'), undefined, 'denied');
  t.equal(served('193.32.9.1'), undefined, 'allowed');
  t.equal(downloaded('193.32.9.1'), 'VPN', 'from the lists');
  t.same(await sourcesAndTerms('isp.mmdb'), [['apple-relay', 'operator-lists', 'tor', 'x4bnet'], 'closed']);
  t.same(await sourcesAndTerms('download/isp.mmdb'), [['tor', 'x4bnet'], 'free']);
});

async function sourcesAndTerms(name: string): Promise<[string[], string]> {
  const { manifest } = await served(OUTPUT);
  const { sources, terms } = manifest.files.find((file) => file.name === name)!;
  return [sources.filter((id) => id !== 'own').sort(), terms];
}

t.test('a public resolver on the own deny list is a proxy, and the gate reports it', async (t) => {
  t.equal(typesIn('isp.mmdb')('1.1.1.1'), 'VPN');
  t.equal(typesIn('download/isp.mmdb')('1.1.1.1'), undefined);
  t.match(first.stderr, 'publish: isp.mmdb 1.1.1.1: a proxy, as own/deny-list.csv says');
  const { manifest } = await served(OUTPUT);
  t.match(
    manifest.gates.find(({ name }) => name === 'canaries'),
    {
      passed: true,
      found: /^(\d+) of \d+ as expected; isp\.mmdb 1\.1\.1\.1: a proxy, as own\/deny-list\.csv says$/,
    },
  );
});

t.test('a relay that may not be in a download is not called a VPN there', (t) => {
  const [served, downloaded] = [typesIn('isp.mmdb'), typesIn('download/isp.mmdb')];
  t.equal(served('172.224.226.7'), 'CPN');
  t.equal(downloaded('172.224.226.7'), undefined);
  t.equal(downloaded('172.224.226.77'), 'VPN', 'beside the relay');
  const reader = new Reader<ServiceRecord & { readonly isp: string }>(
    readFileSync(join(OUTPUT, 'current/download/isp.mmdb')),
  );
  t.match(reader.get('172.224.226.7') ?? {}, { is_anonymous: undefined });
  t.end();
});

t.test('a free list can be left out of downloads', async (t) => {
  await build(t, { ...settings, DATASET_FEEDS: '-x4bnet' });
  t.equal(typesIn('isp.mmdb')('193.32.1.1'), 'VPN');
  t.equal(typesIn('download/isp.mmdb')('193.32.1.1'), undefined);
  t.equal(typesIn('download/isp.mmdb')('185.220.101.1'), 'TOR');
  t.same((await sourcesAndTerms('download/isp.mmdb'))[0], ['tor']);
});
