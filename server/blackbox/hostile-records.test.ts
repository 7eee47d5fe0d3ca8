import t from 'tap';
import { zoneServer, type Zone } from '../dns/testing/zone-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

/** Texts that name servers may send where a page shows them. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</code></section><h1>Another page</h1>',
  '"onmouseover="alert(1)',
  '&lt;b&gt;',
  'gnp\u202Eexe\u2066',
  'a\u0000b\u001B[31m',
];
const NAME = 'hostile.example.com';
const HOST = '<img src=x onerror=alert(1)>.example.com';
const ZONE: Zone = {
  [NAME]: [
    { type: 'A', ttl: 60, data: SMALL.google },
    ...HOSTILE.map((text) => ({ type: 'TXT' as const, ttl: 60, data: text })),
    { type: 'MX', ttl: 60, data: { preference: 10, exchange: HOST } },
    { type: 'NS', ttl: 60, data: HOST },
    { type: 'CAA', ttl: 60, data: { tag: 'issue', value: HOSTILE[0]!, flags: 0 } },
  ],
  '8.8.8.8.in-addr.arpa': [{ type: 'PTR', ttl: 60, data: HOST }],
};
const server = await runServer(t, { dnsServers: [await zoneServer(t, ZONE)] });

/** Returns a section of a page, as it was sent. */
async function section(path: string, id: string): Promise<{ readonly part: string; readonly whole: string }> {
  const response = await fetch(`${server.url}${path}`, { headers: { Accept: 'text/html' } });
  const whole = await response.text();
  const [, part = ''] = new RegExp(`<section[^>]* id="${id}"(.*?)</section>`, 's').exec(whole) ?? [];
  return { part, whole };
}

/** Markup and characters that only a name server could have sent. */
const SENT = /<script|<img|Another page<|\sonmouseover="|&lt;b&gt;|[\u202A-\u202E\u2066-\u2069\u0000\u001B]/;

t.test('hostile TXT, MX, NS and CAA records of a name are text in its page', async (t) => {
  const { part, whole } = await section(`/lookup/${NAME}?lang=en`, 'dns');
  t.match(part, '&lt;script&gt;alert(1)&lt;/script&gt;', 'TXT and CAA');
  t.match(part, /&lt;img.{1,50}\.example\.com/, 'MX and NS');
  for (const type of ['A', 'TXT', 'MX', 'NS', 'CAA']) t.match(part, new RegExp(`>${type}<`));
  t.notMatch(whole, SENT);
  t.equal(whole.match(/<h1/g)?.length, 1);
});

t.test('a hostile PTR record of an address is text in its page', async (t) => {
  const { part, whole } = await section(`/lookup/${SMALL.google}?lang=en`, 'reverse');
  t.match(part, /<code>&lt;img.{1,50}\.example\.com<\/code>/);
  t.notMatch(whole, SENT);
});
