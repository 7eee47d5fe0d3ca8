import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { runServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const NAME = 'www.example.com';
const doh = await DohServer.start({
  [NAME]: [
    { type: 'A', name: NAME, ttl: 60, data: '9.9.9.9' },
    { type: 'A', name: NAME, ttl: 60, data: '8.8.8.8' },
  ],
  'text.example.com': [{ type: 'TXT', name: 'text.example.com', ttl: 5, data: '<b>=1+1,"quoted"</b>' }],
});
t.teardown(() => doh.close());
const server = await runServer(t, {
  trustedProxies: ['127.0.0.1/32'],
  upstreams: {
    ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
    dohResolvers: [doh.resolver('Zero'), doh.resolver('One')],
    extraAuthorities: TEST_IDENTITY.authority,
  },
});
/** Questions of one run at a time. */
const OF_ONE_RUN = 8;
/** A name that only one visitor asks for. */
const LEFT = 'left.example.com';

let visitors = 0;
/** Opens a page from a new address. */
async function open(path: string, from = `203.0.113.${++visitors}`) {
  const headers = { Accept: 'text/html', 'X-Forwarded-For': from };
  const response = await fetch(`${server.url}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

t.test('the form has all resolvers, and works without a script', async (t) => {
  const { text } = await open('/global-dns?lang=en');
  t.match(text, /<form class="question" action="\/global-dns\/answers">/);
  t.match(text, /<option value="1"\s*>One<\/option>/);
  t.notMatch(text, /<script/);
});

t.test('all places are asked once with their subnets, and equal answers are one row', async (t) => {
  doh.asked.length = 0;
  const { status, text } = await open(`/global-dns/answers?name=${NAME}&type=A&resolver=1&lang=en`);
  t.equal(status, 200);
  t.equal(doh.asked.length, VANTAGE_POINTS.length);
  const asked = new Set(doh.asked.map(({ subnet }) => subnet?.ip));
  t.equal(asked.size, new Set(VANTAGE_POINTS.map(({ subnet }) => subnet)).size);
  t.match(text, `All ${VANTAGE_POINTS.length} places get the same answer.`);
  const [first, second] = VANTAGE_POINTS;
  t.match(text, `${VANTAGE_POINTS.length}: ${first!.label.en}, ${second!.label.en}, `);
  t.match(text, /A 8\.8\.8\.8\nA 9\.9\.9\.9/);
  t.ok(
    (text.match(/class="layer"/g)?.length ?? 0) > VANTAGE_POINTS.length / 2,
    'a dot for each place on the map',
  );
  t.match(text, new RegExp(`>${VANTAGE_POINTS.length} / ${VANTAGE_POINTS.length}<`));
});

t.test('dots arrive before the last place has answered', async (t) => {
  const response = await fetch(`${server.url}/global-dns/answers?name=${NAME}&lang=en`, {
    headers: { 'X-Forwarded-For': '203.0.113.200', 'Accept-Encoding': 'identity' },
  });
  const reader = response.body!.getReader();
  let text = '';
  while (!text.includes('class="layer"')) {
    const { value, done } = (await reader.read()) as { readonly value?: Uint8Array; readonly done: boolean };
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  t.match(text, /class="layer"/);
  t.notMatch(text, /id="answers"/);
  await reader.cancel();
});

t.test('nothing more is asked for a visitor who has left', async (t) => {
  t.teardown(() => {
    doh.resume();
  });
  doh.manner = 'stalls';
  const asked = () => doh.asked.filter(({ name }) => name.toLowerCase() === LEFT).length;
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/global-dns/answers?name=${LEFT}`, {
    headers: { 'X-Forwarded-For': '203.0.113.201', Accept: 'text/html' },
    signal: leaving.signal,
  });
  while (asked() < OF_ONE_RUN) await delay(10);
  await delay(100);
  t.equal(asked(), OF_ONE_RUN, 'the first questions of a run');
  leaving.abort();
  await t.rejects(response.text());
  await delay(100);
  doh.resume();
  await delay(500);
  t.equal(asked(), OF_ONE_RUN, 'their answers lead to no further ones');
});

t.test('a resolver without an answer is a row with the reason', async (t) => {
  doh.manner = 'servfail';
  t.teardown(() => (doh.manner = 'answers'));
  const { text } = await open(`/global-dns/answers?name=${NAME}&lang=en`);
  t.match(text, /<p>\s*135 places have no answer\./);
  t.match(text, /SERVFAIL/);
});

t.test('answers are files; cells with records are quoted, and are no formulas', async (t) => {
  const csv = await open('/global-dns/answers?name=text.example.com&type=TXT&format=csv');
  t.match(csv.headers.get('content-disposition'), 'attachment; filename="answers.csv"');
  const [header, ...rows] = csv.text.trimEnd().split('\r\n');
  t.equal(header, 'region,place,subnet,rcode,error,type,value,ttl');
  t.equal(rows.length, VANTAGE_POINTS.length);
  t.match(rows[0], /,NOERROR,,TXT,/);
  const lines = (await open(`/global-dns/answers?name=${NAME}&format=ndjson`)).text.trimEnd().split('\n');
  t.equal(lines.length, VANTAGE_POINTS.length);
  t.match(JSON.parse(lines[0]!), { region: Number, rcode: 'NOERROR', records: [{ value: '9.9.9.9' }, {}] });
});

t.test('markup in a record and in a name is text', async (t) => {
  const { text } = await open('/global-dns/answers?name=text.example.com&type=TXT');
  t.match(text, '&lt;b&gt;=1+1');
  t.notMatch(text, '<b>=1');
  for (const name of [
    '<script>alert(1)</script>',
    '"><img src=x>',
    '',
    '10.0.0.1',
    `${'a'.repeat(300)}.com`,
  ]) {
    const refused = await open(`/global-dns/answers?name=${encodeURIComponent(name)}`);
    t.equal(refused.status, 400, name.slice(0, 20));
    t.notMatch(refused.text, /<script|<img/);
  }
  t.equal((await open(`/global-dns/answers?name=${NAME}&format=xml`)).status, 400);
  t.equal((await open(`/global-dns/answers?name=${NAME}&resolver=9`)).status, 400);
});

t.test('a visitor may run it four times a minute', async (t) => {
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++)
    statuses.push((await open(`/global-dns/answers?name=${NAME}&format=csv`, '198.51.100.7')).status);
  t.same(statuses, [200, 200, 200, 200, 429]);
  t.equal((await open('/global-dns', '198.51.100.7')).status, 200);
});

t.test('a third run of a visitor at a time is refused, until one of the others ends', async (t) => {
  const headers = { 'X-Forwarded-For': '198.51.100.8', Accept: 'text/html', 'Accept-Encoding': 'identity' };
  doh.manner = 'stalls';
  t.teardown(() => {
    doh.resume();
  });
  const begin = async () => {
    const response = await fetch(`${server.url}/global-dns/answers?name=running.example.com`, { headers });
    return { status: response.status, reader: response.body!.getReader() };
  };
  const runs = [await begin(), await begin()];
  for (const { status, reader } of runs) {
    t.equal(status, 200);
    await reader.read();
  }
  const refused = await open('/global-dns/answers?name=running.example.com', '198.51.100.8');
  t.equal(refused.status, 429);
  t.equal(refused.headers.get('retry-after'), '10');
  t.match(refused.text, /2 runs of your address are not finished/);
  doh.resume();
  const [first, second] = runs;
  while (!(await first!.reader.read()).done);
  t.equal((await open('/global-dns/answers?name=running.example.com', '198.51.100.8')).status, 200);
  await second!.reader.cancel();
});

t.test('errors name the parameters of the page, in its language', async (t) => {
  const refused = async (query: string) => (await open(`/global-dns/answers?${query}`)).text;
  t.match(await refused('lang=en'), 'Missing name: expected ?name=example.com.');
  t.match(
    await refused('name=10.0.0.1&lang=en'),
    'Invalid name “10.0.0.1”: expected a name in the public DNS.',
  );
  t.match(await refused(`name=${NAME}&resolver=9&lang=en`), 'Invalid resolver “9”: expected 0-1.');
  t.match(await refused(`name=${NAME}&resolver=9&lang=zh`), '<p>解析器“9”无效：应为 0-1。</p>');
});
