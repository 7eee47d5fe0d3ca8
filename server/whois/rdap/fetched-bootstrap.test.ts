import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { shortDir } from '../../../pipeline/testing/child-process.js';
import { serveFile, startPublisher } from '../../../pipeline/testing/publisher.js';
import { RdapBootstrap } from './bootstrap.js';
import { ipatlas, PROJECT } from '../../../pipeline/testing/command-line.js';

const NAMES = ['dns.json', 'ipv4.json', 'ipv6.json', 'asn.json'] as const;
const bundled = (name: string): string => readFileSync(join(PROJECT, 'fixtures/feeds/rdap', name), 'utf8');

/** Files by their path below the mirror. Requests with the current ETag get 304. */
const published = new Map(NAMES.map((name) => [`/data.iana.org/rdap/${name}`, bundled(name)]));
const mirror = await startPublisher(t, (request, response) => {
  const text = published.get(request.url!);
  if (text === undefined) response.writeHead(404).end();
  else serveFile(text, `"${text.length}"`)(request, response);
});
const OUTPUT = shortDir(t);
const DIR = join(OUTPUT, 'downloads', 'rdap');
const fetchRdap = () => ipatlas(t, { OUTPUT, IPATLAS_MIRROR: mirror.url }, 'fetch', '--only', 'rdap');
const kept = (name: string): string => readFileSync(join(DIR, name), 'utf8');
const bootstrap = new RdapBootstrap({ dirs: [DIR], allowPorts: false });
t.teardown(() => {
  bootstrap.close();
});

/** Returns the host of the RDAP server for .com. */
async function serverOfCom(): Promise<string | undefined> {
  await bootstrap.look();
  return (await bootstrap.serversOf({ kind: 'domain', name: 'example.com' }))?.[0]?.host;
}

t.test("downloads IANA's bootstrap files, and the server reads them", async (t) => {
  const { code, stderr } = await fetchRdap();
  t.equal(code, 0, stderr);
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
  t.equal(await serverOfCom(), 'rdap.verisign.com');
});

t.test('an unchanged file is not sent again (304)', async (t) => {
  const before = mirror.asked.length;
  const { code, stderr } = await fetchRdap();
  t.equal(code, 0, stderr);
  const again = mirror.asked.slice(before);
  t.equal(again.length, NAMES.length);
  t.ok(again.every(({ headers }) => headers['if-none-match'] !== undefined));
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
});

t.test('a truncated, short or wrong file keeps the last valid copy, with exit code 3', async (t) => {
  published.set('/data.iana.org/rdap/dns.json', bundled('dns.json').slice(0, -20));
  published.set('/data.iana.org/rdap/asn.json', '{"services":[[["1-2"],["https://rdap.example.com/"]]]}');
  published.set('/data.iana.org/rdap/ipv4.json', '<html>'.padEnd(5000));
  const { code, stdout, stderr } = await fetchRdap();
  t.equal(code, 3, stderr);
  for (const name of ['rdap/dns.json', 'rdap/asn.json', 'rdap/ipv4.json']) t.match(stdout + stderr, name);
  for (const name of NAMES) t.equal(kept(name), bundled(name), name);
});

t.test('a new file replaces the last one, and the server uses it', async (t) => {
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
