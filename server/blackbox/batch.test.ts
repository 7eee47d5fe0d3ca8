import { gzipSync } from 'node:zlib';
import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const names = await DnsServer.start({
  'google.example.com': { addresses: [SMALL.google] },
  'inside.example.com': { addresses: ['10.0.0.1'] },
  'broken.example.com': 'servfail',
});
t.teardown(() => names.close());
const server = await runServer(t, { dnsServers: [names.address], trustedProxies: ['127.0.0.1/32'] });
const newKey = async (plan: 'free' | 'pro' | 'enterprise') => ({
  Authorization: `Bearer ${await server.key(plan)}`,
});
const enterprise = await newKey('enterprise');
const batch = async (ips: unknown, headers: Record<string, string> = enterprise, query = '') =>
  (await server.post(`/api/ip/batch${query}`, { ips }, headers)).body as { code: number; data: unknown[] };
const record = async (ip: string, query = '') =>
  ((await server.get(`/api/ip/${ip}${query}`, enterprise)).body as { data: object }).data;

t.test(
  'decision 21: entries are complete records in the order of the targets, including repeated ones',
  async (t) => {
    const sent = [SMALL.shanghai, SMALL.googleV6, SMALL.shanghai, SMALL.reserved, `::ffff:${SMALL.shanghai}`];
    for (const query of ['', '?lang=en']) {
      const records = await Promise.all(
        [SMALL.shanghai, SMALL.googleV6, SMALL.shanghai, SMALL.reserved, SMALL.shanghai].map((ip) =>
          record(ip, query),
        ),
      );
      t.strictSame(await batch(sent, enterprise, query), { code: 0, data: records });
    }
  },
);

t.test('decision 21: a repeated host name is resolved once, and its entry has its address', async (t) => {
  const before = names.asked.length;
  const sent = ['google.example.com', 'GOOGLE.example.com.', SMALL.google, 'google.example.com'];
  const google = await record(SMALL.google);
  t.strictSame((await batch(sent)).data, [google, google, google, google]);
  t.strictSame(names.asked.slice(before), ['A google.example.com']);
});

t.test('decision 21: a failed target is an entry of two fields and does not change the code', async (t) => {
  const invalid = 'invalid IP or hostname';
  const unresolved = 'target could not be resolved';
  const sent = [
    '127.1',
    'nobody.example.com',
    'broken.example.com',
    '',
    7,
    null,
    true,
    { a: [1] },
    ['8.8.8.8'],
  ];
  t.strictSame(await batch(sent), {
    code: 0,
    data: [
      { ip: '127.1', error: invalid },
      { ip: 'nobody.example.com', error: unresolved },
      { ip: 'broken.example.com', error: unresolved },
      { ip: '', error: invalid },
      { ip: '7', error: invalid },
      { ip: 'null', error: invalid },
      { ip: 'true', error: invalid },
      { ip: '{"a":[1]}', error: invalid },
      { ip: '["8.8.8.8"]', error: invalid },
    ],
  });
  t.match(await batch(['inside.example.com', '127.1']), {
    data: [{ ip: '10.0.0.1', is_reserved: true }, { error: invalid }],
  });
});

t.test('decision 21: a batch is billed once, even when all entries failed', async (t) => {
  const headers = await newKey('free');
  t.equal((await batch(['127.1', 'localhost'], headers)).code, 0);
  t.equal((await batch([SMALL.google, SMALL.cloud], headers)).code, 0);
  t.match((await server.get('/api/user/usage', headers)).body, { data: { today: 2 } });
  await server.accounts.addCredits(await emailOf(headers), -986);
  t.match(await batch([SMALL.google], headers), { code: 402, credits_required: 5 }, '4 of 1000 are left');
  await server.accounts.addCredits(await emailOf(headers), 1);
  t.equal((await batch([SMALL.google], headers)).code, 0);
});

t.test(
  'decision 21: the limit of the plan counts all targets; a batch over the limit is not billed',
  async (t) => {
    const limits = [
      [{ 'X-Forwarded-For': '9.9.9.1' }, 5],
      [await newKey('free'), 10],
      [await newKey('pro'), 100],
      [enterprise, 500],
    ] as const;
    for (const [headers, limit] of limits) {
      const ips = Array.from({ length: limit }, (_, i) => `8.8.${i >> 8}.${i & 255}`);
      const { code, data } = await batch(ips, headers);
      t.strictSame([code, data.length], [0, limit]);
      t.match(await batch([...ips, ips[0]], headers), { code: 400, msg: new RegExp(` ${limit} `) });
      t.match(await batch(Array<string>(limit + 1).fill('8.8.8.8'), headers), { code: 400 });
    }
    const pro = limits[2][0];
    t.match((await server.get('/api/user/usage', pro)).body, { data: { today: 1 } });
  },
);

t.test('decision 21: any body other than a list of targets is 400', async (t) => {
  const bodies = [
    ...['', '{', '[', 'null', '17', '"8.8.8.8"', '[]', '["8.8.8.8"]', '{}', '{"ips":null}', '{"ips":[]}'],
    ...['{"ips":"8.8.8.8"}', '{"ips":{"0":"8.8.8.8"}}', '{"IPS":["8.8.8.8"]}', '{"ips":["8.8.8.8"]', '\0'],
    ...['{"ips":["8.8.8.8"],}', "{'ips':['8.8.8.8']}", 'ips=8.8.8.8', '<ips/>', '\ufeff', '{"ips":[1e400'],
    `{"ips":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
    `${'{"ips":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
  ];
  for (const body of bodies) {
    const answer = await server.post('/api/ip/batch', body, enterprise);
    t.match(answer, { status: 200, body: { code: 400, msg: /./ } }, JSON.stringify(body.slice(0, 40)));
    t.strictSame(Object.keys(answer.body as object), ['code', 'msg']);
  }
});

t.test('a JSON body is read as UTF-8 with any content type', async (t) => {
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
  ];
  for (const type of types) {
    const answer = await server.post(
      '/api/ip/batch',
      { ips: [SMALL.google] },
      { ...enterprise, 'Content-Type': type },
    );
    t.match(answer.body, { code: 0, data: [{ ip: SMALL.google }] }, type);
  }
  for (const [type, body] of [
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="ips"\r\n\r\n8.8.8.8\r\n--x--',
    ],
    ['application/xml', '<ips><ip>8.8.8.8</ip></ips>'],
  ] as const) {
    const answer = await server.post('/api/ip/batch', body, { ...enterprise, 'Content-Type': type });
    t.match(answer, { status: 200, body: { code: 400 } }, type);
  }
});

t.test('decision 12: a body over 256 kB is 413, chunked or not; a smaller one is read', async (t) => {
  const largest = 256 * 1024;
  const padded = (bytes: number) => `{"ips":["8.8.8.8"]${' '.repeat(bytes - 19)}}`;
  t.match(await server.post('/api/ip/batch', padded(largest), enterprise), {
    status: 200,
    body: { code: 0 },
  });
  const large = await server.post('/api/ip/batch', padded(largest + 1), enterprise);
  t.match(large, { status: 413, body: { code: 413, msg: /262144/ } });
  const zipped = (text: string) =>
    server.ask('/api/ip/batch', {
      method: 'POST',
      headers: { ...enterprise, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(text),
    });
  t.match(await zipped(padded(1000)), { status: 200, body: { code: 0 } });
  t.match(await zipped(padded(50_000_000)), { status: 413, body: { code: 413 } }, 'a bomb is not unpacked');
});

t.test('decision 12: other methods are refused with a list of the allowed ones', async (t) => {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await server.ask('/api/ip/batch', { method, headers: { 'X-Forwarded-For': '9.9.9.2' } });
    t.match(answer, { status: 405, body: { code: 405 } }, method);
    t.match(answer.headers.get('allow'), /POST/);
  }
  t.match((await server.get('/api/ip/batch', enterprise)).body, { code: 400 }, '"batch" is not a host name');
});

/** Returns the e-mail address of a key's account. */
async function emailOf(headers: Record<string, string>): Promise<string> {
  const answer = await server.get('/api/user/me', headers);
  return (answer.body as { data: { email: string } }).data.email;
}
