import { once } from 'node:events';
import { readFileSync, realpathSync, renameSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Manifest } from '../../pipeline/release/contract.js';
import { DnsServer } from '../testing/dns-server.js';
import { sendRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';
import { WhoisServer } from '../whois/port43/testing/whois-server.js';

const ROOT = 'whois.test-root.example.com';
const port43 = await WhoisServer.start('127.0.0.1', 0, {
  com: `whois: ${ROOT}\r\n`,
  'example.com':
    'Domain Name: EXAMPLE.COM\r\nRegistrar: A <b>Registrar</b>\r\nCreation Date: 1999-01-02T03:04:05Z\r\n',
  '*': '% This query returned 0 objects.\r\n',
});
const dns = await DnsServer.start({
  [ROOT]: { addresses: ['127.0.0.1'] },
  'www.example.com': { addresses: [SMALL.google] },
});
t.teardown(() => Promise.all([dns.close(), port43.close()]));
const settings = {
  dnsServers: [dns.address],
  upstreams: { whoisRoot: ROOT, whoisPort: port43.port, dohResolvers: [] },
  trustedProxies: ['127.0.0.1/32'],
};
const server = await runServer(t, settings);
const BROWSER = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Accept-Language': 'en-US,en;q=0.5',
};
let visitor = 0;
/** Opens a page as a browser, each time from another address: the limit of pages is per address. */
const open = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const from = { 'X-Forwarded-For': `198.51.100.${++visitor % 250}` };
  const response = await fetch(`${server.url}${path}`, {
    headers: { ...BROWSER, ...from, ...headers },
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

t.test('browsers get a page at / about their address, all others the answers of the API', async (t) => {
  const { status, headers, html } = await open('/', { 'X-Forwarded-For': SMALL.google });
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  t.match(html, /<html lang="en">/);
  t.match(html, new RegExp(`<h1 class="address" id="address">${SMALL.google}</h1>`));
  t.match(html, /Mountain View, California, United States/);
  const others: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/?format=json', BROWSER],
    ['/', { Accept: 'application/json' }],
    ['/', { Accept: '*/*', 'User-Agent': 'curl/8.5.0' }],
    ['/json', BROWSER],
    ['/api/ip', BROWSER],
  ];
  for (const [path, headers] of others) {
    const { headers: got } = await server.ask(path, { headers });
    t.notMatch(got.get('content-type'), /html/, `${path} ${headers['Accept'] ?? ''}`);
  }
});

t.test('the language is that of the parameter, else that of the browser', async (t) => {
  const of = async (path: string, accepted: string) =>
    /<html lang="([^"]+)"/.exec((await open(path, { 'Accept-Language': accepted })).html)?.[1];
  t.equal(await of('/', 'zh-CN,zh;q=0.9,en;q=0.8'), 'zh-CN');
  t.equal(await of('/', 'fr-FR,fr;q=0.9'), 'en');
  t.equal(await of('/?lang=en', 'zh-CN'), 'en');
  t.equal(await of('/?lang=zh', 'en'), 'zh-CN');
});

t.test('a lookup page has the answer, the verdicts and the route of an address', async (t) => {
  const { html } = await open(`/lookup/${SMALL.google}`);
  for (const part of ['id="verdicts"', 'id="route"', 'id="reverse"', 'id="registration"', 'AS15169'])
    t.ok(html.includes(part), part);
  t.match((await open('/lookup/8.8.8.0/24')).html, /<h1 class="address" id="prefix">8\.8\.8\.0\/24<\/h1>/);
  t.match((await open('/lookup/AS15169')).html, /<h1 class="address" id="as">AS15169<\/h1>/);
  const chinese = (await open('/lookup/AS15169?lang=zh')).html;
  t.match(chinese, /<dd>美国<\/dd>/);
  t.match(chinese, /<dd>ARIN, 已(分配|指派)<\/dd>/);
  const reserved = (await open(`/lookup/${SMALL.reserved}`)).html;
  t.match(reserved, /Reserved address/);
  t.notMatch(reserved, /id="registration"/);
});

t.test('a page of a host name has its address, its DNS records and its registration, escaped', async (t) => {
  const { html } = await open('/lookup/www.example.com');
  t.match(html, new RegExp(`<h2 class="address" id="address">${SMALL.google}</h2>`));
  t.match(html, /id="dns"/);
  t.match(html, /A &lt;b&gt;Registrar&lt;\/b&gt;/);
  t.equal(html.match(/<h1/g)?.length, 1);
});

t.test('the search box leads to the page of its target', async (t) => {
  const locations = [
    ['8.8.8.8', '/lookup/8.8.8.8?lang=en'],
    ['8.8.8.0/24', '/lookup/8.8.8.0/24?lang=en'],
    [' https://www.example.com/a?b ', '/lookup/www.example.com?lang=en'],
    ['https://[2001:db8::1]/', '/lookup/2001%3Adb8%3A%3A1?lang=en'],
    ['', '/?lang=en'],
    ['//evil.example/', '/lookup///evil.example/?lang=en'],
    ['a b', '/lookup/a%20b?lang=en'],
  ] as const;
  for (const [q, location] of locations) {
    const { status, headers } = await open(`/lookup?q=${encodeURIComponent(q)}`);
    t.equal(status, 303, q);
    t.equal(headers.get('location'), location, q);
  }
  t.equal((await open(`/lookup?q=${'a'.repeat(10_000)}`)).status, 400);
});

t.test('a registry that does not answer delays only its own part of the page', async (t) => {
  const waiting: ServerResponse[] = [];
  const slow = createServer((_, response) => waiting.push(response));
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  t.teardown(() => {
    for (const response of waiting) response.destroy();
    slow.close();
  });
  const other = await server.another({
    upstreams: { whoisRoot: ROOT, whoisPort: (slow.address() as AddressInfo).port, dohResolvers: [] },
  });
  const response = await fetch(`${other.url}/lookup/${SMALL.google}`, { headers: BROWSER });
  const reader = response.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value as Uint8Array);
  t.match(first, /id="route"/);
  t.notMatch(first, /id="registration"/);
  await reader.cancel();
});

t.test('pages are compressed in pieces, and HEAD has no body', async (t) => {
  const request = (method: string) =>
    `${method} /lookup/${SMALL.google} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`;
  const answer = await fetch(`${server.url}/lookup/${SMALL.google}`, {
    headers: { ...BROWSER, 'Accept-Encoding': 'gzip' },
  });
  t.equal(answer.headers.get('content-encoding'), 'gzip');
  t.match(await answer.text(), /<\/html>/);
  const head = await sendRaw(server.url, request('HEAD'));
  t.match(head, /^HTTP\/1\.1 200 /);
  t.notMatch(head, /<html/);
  const home = await open('/', { 'X-Forwarded-For': SMALL.google, 'Accept-Encoding': 'br' });
  t.equal(home.headers.get('content-encoding'), 'br');
});

t.test('failures are pages for browsers, with their status, and JSON for all others', async (t) => {
  const missing = await open('/nothing/here');
  t.equal(missing.status, 404);
  t.match(missing.html, /<h1>Not found<\/h1>/);
  const json = await server.ask('/nothing/here', {});
  t.match(json.body, { code: 404 });
  t.equal((await open('/lookup/AS7777777')).status, 404);
  t.equal((await open('/lookup/not a target')).status, 400);
});

t.test('pages count against a limit of their own, and the API is not affected', async (t) => {
  const from = { ...BROWSER, 'X-Forwarded-For': '203.0.113.77' };
  const statuses: number[] = [];
  for (let i = 0; i < 61; i++) statuses.push((await fetch(server.url, { headers: from })).status);
  t.equal(statuses.filter((status) => status === 200).length, 60);
  const refused = await fetch(server.url, { headers: from });
  t.equal(refused.status, 429);
  t.match(await refused.text(), /Too many requests/);
  const api = await server.ask('/json', { headers: { 'X-Forwarded-For': '203.0.113.77' } });
  t.equal(api.headers.get('x-ratelimit-remaining'), '59');
});

t.test('pages load styles and pictures from this server only, and these never change', async (t) => {
  const { html, headers } = await open('/');
  t.match(headers.get('content-security-policy'), /^default-src 'none'; style-src 'self'/);
  t.notOk(headers.get('access-control-allow-origin'));
  const documents = html + (await open('/docs/api')).html;
  const loaded = [...documents.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg))(?:#\w+)?"/g)].map(
    ([, path]) => path!,
  );
  t.ok(loaded.length > 0);
  for (const path of new Set(loaded)) {
    const response = await fetch(`${server.url}${path}`);
    t.equal(response.status, 200, path);
    t.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.ok((await response.arrayBuffer()).byteLength > 0);
    const known = response.headers.get('etag')!;
    const again = await fetch(`${server.url}${path}`, { headers: { 'If-None-Match': known } });
    t.equal(again.status, 304, `${path} is known`);
    t.equal(again.headers.get('etag'), known);
    t.equal(again.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.equal(await again.text(), '');
    const other = await fetch(`${server.url}${path}`, { headers: { 'If-None-Match': '"another"' } });
    t.equal(other.status, 200, `another version of ${path} is known`);
    await other.arrayBuffer();
  }
});

t.test('crawlers leave out the pages that ask registries and name servers', async (t) => {
  const { status, headers, html: text } = await open('/robots.txt');
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  t.equal(text, 'User-agent: *\nDisallow: /lookup\nDisallow: /global-dns/answers\n');
});

t.test('the status page has the sources and datasets of the release, without names of files', async (t) => {
  const { status, html } = await open('/status');
  t.equal(status, 200);
  t.match(html, /id="inputs"/);
  t.match(html, /id="datasets"/);
  t.match(html, /href="\/openapi\.json"/);
  t.notMatch(html, /id="accuracy"|id="changes"/, 'the release has no scorecard and none before it');
  const manifest = JSON.parse(
    readFileSync(join(server.outputDir, 'current/manifest.json'), 'utf8'),
  ) as Manifest;
  for (const { publisher, files } of manifest.inputs) {
    t.ok(html.includes(publisher.replace('&', '&amp;')), publisher);
    for (const { id } of files) t.notOk(html.includes(id), id);
  }
});

t.test('the report of the release is closed, unless the operator opens it', async (t) => {
  const closed = await open('/status/report');
  t.equal(closed.status, 404);
  t.match(closed.html, /<h1>Not found<\/h1>/);
  t.notMatch((await open('/status')).html, /report/i);
  const { url } = await server.another({ hasReport: true });
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: BROWSER });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  t.match((await ask('/status?lang=zh')).html, '<a href="/status/report" hreflang="en">构建报告');
  const { status, headers, html } = await ask('/status/report');
  t.equal(status, 200);
  const path = join(realpathSync(join(server.outputDir, 'current')), 'report.html');
  t.equal(html, readFileSync(path, 'utf8'));
  t.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  t.notOk(headers.get('access-control-allow-origin'));
  renameSync(path, `${path}.away`);
  t.teardown(() => {
    renameSync(`${path}.away`, path);
  });
  const missing = await ask('/status/report');
  t.equal(missing.status, 404);
  t.match(
    missing.headers.get('content-security-policy'),
    /style-src 'self'/,
    'the failure is a page of the site',
  );
  t.match(missing.html, /has no report/);
});

t.test('PAGES=off leaves the API only', async (t) => {
  const bare = await server.another({ hasPages: false, hasReport: true });
  const root = await fetch(bare.url, { headers: BROWSER });
  t.match(root.headers.get('content-type'), /^application\/json/);
  for (const path of [
    '/lookup/8.8.8.8',
    '/status',
    '/status/report',
    '/global-dns',
    '/global-dns/answers?name=www.example.com',
  ])
    t.equal((await fetch(`${bare.url}${path}`, { headers: BROWSER })).status, 404, path);
});
