import t from 'tap';
import { freePort } from '../../pipeline/testing/free-port.js';
import { DnsServer } from '../testing/dns-server.js';
import { sendRaw } from '../testing/raw-http.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const ROOT = 'whois.test-root.example.com';
const dns = await DnsServer.start({
  [ROOT]: { addresses: ['127.0.0.1'] },
  'www.example.com': { addresses: [SMALL.google] },
  'broken.example.com': 'servfail',
  '13.157.159.185.in-addr.arpa': 'silence',
});
t.teardown(() => dns.close());
const server = await runServer(t, {
  dnsServers: [dns.address],
  upstreams: { whoisRoot: ROOT, whoisPort: await freePort(), dohResolvers: [] },
  trustedProxies: ['127.0.0.1/32'],
});

let visitors = 0;
/** Opens a page as a browser, each time from another address: the limit of pages is per address. */
async function open(path: string, { url }: Pick<TestServer, 'url'> = server): Promise<string> {
  const headers = { Accept: 'text/html', 'X-Forwarded-For': `198.51.100.${++visitors}` };
  return await (await fetch(`${url}${path}`, { headers })).text();
}
/** Returns the links of a list of facts. */
const linksIn = (html: string, name: string): string[] => {
  const [, value = ''] = new RegExp(`<dt>${name}</dt>\\s*<dd>(.*?)</dd>`, 's').exec(html) ?? [];
  return Array.from(value.matchAll(/>([^<>]+)<\/a>/g), ([, text]) => text!);
};

t.test('covering prefixes are shorter than the prefix', async (t) => {
  t.same(linksIn(await open('/lookup/8.8.8.0/24?lang=en'), 'Covering prefixes'), ['8.0.0.0/9']);
  t.same(linksIn(await open('/lookup/8.8.8.128/25?lang=en'), 'Covering prefixes'), [
    '8.8.8.0/24',
    '8.0.0.0/9',
  ]);
  t.same(linksIn(await open('/lookup/8.0.0.0/8?lang=en'), 'Covering prefixes'), []);
  t.same(linksIn(await open('/lookup/2001:4860:1::/48?lang=en'), 'Covering prefixes'), ['2001:4860::/32']);
});

t.test('a prefix without a route says so, or that it is reserved', async (t) => {
  t.match(await open('/lookup/8.0.0.0/8?lang=en'), 'No route for this prefix.');
  const reserved = await open('/lookup/10.0.0.0/8?lang=en');
  t.match(reserved, 'Reserved address space');
  t.notMatch(reserved, 'No route');
});

t.test('a failure of another server is named; only a late one advises to reload', async (t) => {
  const unreachable = await open(`/lookup/${SMALL.google}?lang=en`);
  t.match(unreachable, /id="registration".*The server cannot be reached\./s);
  t.notMatch(unreachable.slice(unreachable.indexOf('id="registration"')), 'Reload');
  const broken = await open('/lookup/broken.example.com?lang=en');
  t.match(broken, /id="address".*The server reported an error\./s);
  t.match(broken, /id="dns".*The server reported an error\./s);
});

t.test('a registration does not wait for reverse DNS, and has its place after it', async (t) => {
  const html = await open(`/lookup/${SMALL.vpn}?lang=en`);
  t.match(html, /<slot name="reverse">.*<slot name="registration">/s);
  t.ok(html.indexOf('<div slot="registration">') < html.indexOf('<div slot="reverse">'));
  t.match(html, /<div slot="reverse">.*No answer in time\. Reload/s);
});

t.test('databases without a record are named, and agreement is counted', async (t) => {
  const google = await open(`/lookup/${SMALL.google}?lang=en`);
  t.match(google, '4 of 4 agree on the country, 3 of 3 on the region, 2 of 2 on the city.');
  t.match(google, /✓<\/span>\s*United States\s*<span class="unseen">\(same as the answer\)/);
  const shanghai = await open(`/lookup/${SMALL.shanghai}?lang=zh`);
  t.match(shanghai, /<th scope="row">geolite2<\/th>\s*<td[^>]*>\s*<small>没有记录/);
  t.match(shanghai, '国家/地区 1 个中有 1 个一致，省/州 1 个中有 1 个一致，城市 1 个中有 0 个一致。');
  const anycast = await open(`/lookup/${SMALL.cloudflare}?lang=en`);
  t.match(anycast, /\+<\/span>\s*Sydney\s*<span class="unseen">\(the answer does not state it\)/);
});

t.test('places in Chinese begin with the country', async (t) => {
  t.match(await open(`/lookup/${SMALL.google}?lang=zh`), '<p class="lead">美国加利福尼亚州山景城</p>');
  t.match(await open(`/lookup/${SMALL.shanghai}?lang=zh`), '<p class="lead">中国上海</p>');
});

t.test('pages link to the same answer of the API', async (t) => {
  for (const [path, json] of [
    [`/lookup/${SMALL.google}`, `/api/ip/${SMALL.google}`],
    ['/lookup/AS15169', '/api/as-profile/15169'],
    ['/lookup/8.8.8.0/24', '/api/prefix-upstreams?prefix=8.8.8.0/24'],
    ['/lookup/www.example.com', '/api/dns/www.example.com'],
  ] as const) {
    const link = `<a href="${json}${json.includes('?') ? '&amp;' : '?'}lang=en"><code>${json}</code></a>`;
    t.ok((await open(`${path}?lang=en`)).includes(link), path);
    t.match((await server.get(json)).body, { code: 0 }, json);
  }
});

t.test('the first page says what the service is, with a call for this server', async (t) => {
  const text = await open('/?lang=en');
  t.match(text, 'ipatlas answers where an IP address is');
  t.match(text, `<code>curl ${new URL(server.url).host}/json</code>`);
  for (const link of ['/docs/api?lang=en', '/status?lang=en']) t.ok(text.includes(`href="${link}"`), link);
  const hostile = await sendRaw(
    server.url,
    'GET / HTTP/1.1\r\nHost: <b>"\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
  );
  t.match(hostile, '<code>curl localhost:8080/json</code>');
});

t.test('a failure keeps its path in the other language, on this server', async (t) => {
  const other = async (path: string) => />\s*<a href="([^"]*)" lang="zh-CN"/.exec(await open(path))?.[1];
  t.equal(await other('/lookup/AS7777777?lang=en'), '/lookup/AS7777777?lang=zh');
  t.equal(
    await other('/global-dns/answers?lang=en&name=&type=MX'),
    '/global-dns/answers?name=&amp;type=MX&amp;lang=zh',
  );
  t.equal(await other('/nothing"here?lang=en'), '/nothing%22here?lang=zh');
  t.equal(await other('//evil.example/x?lang=en'), '/evil.example/x?lang=zh');
  t.equal(await other('/\\evil.example?lang=en'), '/evil.example?lang=zh');
});

t.test('an unknown path and an invalid target are explained in the language of the page', async (t) => {
  const missing = await open('/nothing/here?lang=zh');
  t.match(missing, '此路径没有页面');
  t.notMatch(missing, 'openapi.json');
  t.ok(missing.includes('href="/docs?lang=zh"'));
  t.match(await open('/lookup/a%20b?lang=zh'), '查询目标“a b”无效');
  t.match(await open('/lookup/AS7777777?lang=en'), 'AS7777777 is neither allocated nor announced.');
});
