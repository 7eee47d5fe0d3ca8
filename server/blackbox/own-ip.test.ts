import t from 'tap';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
const from = (address: string, headers = {}) => ({ 'X-Forwarded-For': address, ...headers });

const FLAT_IN_CHINESE = {
  ...{ ip: SMALL.google, country: '美国', country_code: 'US', region: '加利福尼亚州', city: '山景城' },
  ...{ isp: '谷歌', org: 'Google LLC', asn: 15169, latitude: 37.4056, longitude: -122.0775 },
  timezone: 'America/Los_Angeles',
};
const FLAT_IN_ENGLISH = {
  ...FLAT_IN_CHINESE,
  ...{ country: 'United States', region: 'California', city: 'Mountain View', isp: 'Google LLC' },
};

t.test('GET /api/ip gives the same record as GET /api/ip/{target}', async (t) => {
  for (const ip of [SMALL.google, SMALL.googleV6, SMALL.shanghai, SMALL.reserved, SMALL.unknown]) {
    for (const query of ['', '?lang=en']) {
      const own = await server.get(`/api/ip${query}`, from(ip));
      t.strictSame(own.body, (await server.get(`/api/ip/${ip}${query}`, from(ip))).body, ip);
    }
  }
});

t.test('GET /json and GET /?format=json are the flat record without an envelope', async (t) => {
  for (const path of ['/json', '/?format=json', '/?lang=xx&format=json', '/json?lang=zh'])
    t.strictSame((await server.get(path, from(SMALL.google))).body, FLAT_IN_CHINESE, path);
  for (const path of ['/json?lang=en', '/?format=json&lang=en-US', '/?format=json&format=text&lang=EN'])
    t.strictSame((await server.get(path, from(SMALL.google))).body, FLAT_IN_ENGLISH, path);
});

t.test('decision 19: the flat record of a reserved address is empty', async (t) => {
  for (const ip of ['192.168.0.7', 'fe80::1', SMALL.unknown])
    t.strictSame((await server.get('/json', from(ip))).body, {
      ...{ ip, country: '', country_code: '', region: '', city: '', isp: '', org: '', asn: null },
      ...{ latitude: null, longitude: null, timezone: '' },
    });
});

t.test('GET /ip is one address and a newline in text/plain for every client', async (t) => {
  for (const accept of ['*/*', 'application/json', 'text/html']) {
    const answer = await server.get('/ip', from(SMALL.googleV6, { Accept: accept }));
    t.equal(answer.text, `${SMALL.googleV6}\n`);
    t.match(answer.headers.get('content-type'), /^text\/plain/);
  }
});

t.test('GET / is text for command lines and JSON for all others', async (t) => {
  const root = async (headers: Record<string, string>) =>
    (await server.get('/', from(SMALL.google, headers))).text;
  for (const agent of ['curl/8.5.0', 'Wget/1.21', 'HTTPie/3.2'])
    t.equal(await root({ 'User-Agent': agent, Accept: '*/*' }), `${SMALL.google}\n`, agent);
  t.match(await root({ 'User-Agent': 'Mozilla/5.0', Accept: '*/*' }), /^\{"ip":"8\.8\.8\.8",/);
});

t.test('decision 17: the address of a caller is printed in one form', async (t) => {
  const callerAddress = async (address: string) => (await server.get('/ip', from(address))).text.trim();
  t.equal(await callerAddress('::ffff:8.8.8.8'), '8.8.8.8');
  t.equal(await callerAddress('2001:4860:4860:0:0:0:0:8888'), SMALL.googleV6);
});

t.test('decision 2: the own-IP endpoints share 60 requests per minute; a key changes nothing', async (t) => {
  const key = { Authorization: `Bearer ${await server.key('pro')}` };
  const left = [];
  for (const path of ['/ip', '/json', '/api/ip', '/', '/?format=json']) {
    const { headers } = await server.get(path, from('8.8.4.4', key));
    t.equal(headers.get('x-ratelimit-limit'), '60');
    left.push(headers.get('x-ratelimit-remaining'));
  }
  t.strictSame(left, ['59', '58', '57', '56', '55']);
});

t.test('decisions 1 and 13: HEAD has the headers of GET and no body', async (t) => {
  for (const path of ['/ip', '/json', '/api/ip']) {
    const got = await server.get(path, from('8.8.4.5'));
    const headed = await server.ask(path, { method: 'HEAD', headers: from('8.8.4.5') });
    t.equal(headed.text, '');
    for (const name of ['content-type', 'content-length', 'access-control-allow-origin'])
      t.equal(headed.headers.get(name), got.headers.get(name), `${path} ${name}`);
  }
});
