import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serveFile, startPublisher } from '../../../pipeline/fetch/testing/publisher.js';
import { RdapBootstrap } from './bootstrap.js';
import { ipatlas, outputFolder, PROJECT } from '../../../pipeline/commands/testing/command-line.js';

const NAMES = ['dns.json', 'ipv4.json', 'ipv6.json', 'asn.json'] as const;
const bundled = (name: string): string => readFileSync(join(PROJECT, 'fixtures/feeds/rdap', name), 'utf8');

/** By the path below the mirror; whoever asks again with the ETag is answered 304. */
const published = new Map(NAMES.map((name) => [`/data.iana.org/rdap/${name}`, bundled(name)]));
const mirror = await startPublisher(t, (request, response) => {
  const text = published.get(request.url!);
  if (text === undefined) response.writeHead(404).end();
  else serveFile(text, `"${text.length}"`)(request, response);
});
const OUTPUT = outputFolder(t);
const DIR = join(OUTPUT, 'downloads', 'rdap');
const fetchRdap = () => ipatlas(t, { OUTPUT, IPATLAS_MIRROR: mirror.url }, 'fetch', '--only', 'rdap');
const kept = (name: string): string => readFileSync(join(DIR, name), 'utf8');
const bootstrap = new RdapBootstrap({ dirs: [DIR], allowPorts: false });
t.teardown(() => {
  bootstrap.close();
});

/** Whom the server would ask about a domain now. */
async function serverOfCom(): Promise<string | undefined> {
  await bootstrap.look();
  return (await bootstrap.serversOf({ kind: 'domain', name: 'example.com' }))?.[0]?.host;
}

t.test('IANA’s bootstrap files are downloaded, and the server reads them', async (t) => {
  const { code, stderr } = await fetchRdap();
  t.equal(code, 0, stderr);
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
  t.equal(await serverOfCom(), 'rdap.verisign.com');
});

t.test('what has not changed is not sent again (304)', async (t) => {
  const before = mirror.asked.length;
  const { code, stderr } = await fetchRdap();
  t.equal(code, 0, stderr);
  const again = mirror.asked.slice(before);
  t.equal(again.length, NAMES.length);
  t.ok(again.every(({ headers }) => headers['if-none-match'] !== undefined));
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
});

t.test('a torn file, a short one and a page in its place leave the last good copy: code 3', async (t) => {
  published.set('/data.iana.org/rdap/dns.json', bundled('dns.json').slice(0, -20));
  published.set('/data.iana.org/rdap/asn.json', '{"services":[[["1-2"],["https://rdap.example.com/"]]]}');
  published.set('/data.iana.org/rdap/ipv4.json', '<html>'.padEnd(5000));
  const { code, stdout, stderr } = await fetchRdap();
  t.equal(code, 3, stderr);
  for (const name of ['rdap/dns.json', 'rdap/asn.json', 'rdap/ipv4.json']) t.match(stdout + stderr, name);
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
});

t.test('a new one takes the place of the last, and the server follows', async (t) => {
  const changed = bundled('dns.json').replace(
    /https:\/\/rdap\.verisign\.com\/com\//,
    'https://rdap.example.com/',
  );
  published.set('/data.iana.org/rdap/dns.json', changed);
  for (const name of ['asn.json', 'ipv4.json']) published.set(`/data.iana.org/rdap/${name}`, bundled(name));
  const { code, stderr } = await fetchRdap();
  t.equal(code, 0, stderr);
  t.equal(await serverOfCom(), 'rdap.example.com');
});
