import t from 'tap';
import { httpGet } from './http-get.js';
import { isPublic, lookupPublic } from './public-lookup.js';
import { startPublisher, TEST_LIMITS } from './testing/publisher.js';

t.test('addresses of this machine, of private networks and of special purposes are not public', (t) => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'example.net',
  ]) {
    t.notOk(isPublic(address), address);
  }
  for (const address of ['8.8.8.8', '193.0.6.139', '2001:67c:2e8:22::c100:68b', '2a00:1450::1']) {
    t.ok(isPublic(address), address);
  }
  t.end();
});

t.test('a request for public hosts only does not reach this machine', async (t) => {
  const publisher = await startPublisher(t, (_request, response) => response.end('a secret'));
  const asking = { headers: {}, limits: TEST_LIMITS, mirror: undefined, signal: AbortSignal.timeout(20_000) };
  const errorOf = (url: string): Promise<unknown> =>
    httpGet(new URL(url), { ...asking, publicOnly: true }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const { port } = new URL(publisher.url);
  t.match(await errorOf(`https://localhost:${port}/`), { failure: 'insecure', found: /is not public/ });
  t.match(await errorOf(`https://127.0.0.1:${port}/`), { failure: 'insecure', found: /is an address/ });
  t.match(await errorOf(`https://[::1]:${port}/`), { failure: 'insecure', found: /is an address/ });
  t.match(await errorOf(`http://127.0.0.1:${port}/`), { failure: 'insecure' });
  t.equal(publisher.asked.length, 0);
});

t.test('public addresses are returned in the form that the connection asks for', async (t) => {
  const found = (all: boolean): Promise<unknown[]> =>
    new Promise((resolve) => {
      lookupPublic('8.8.8.8', { all }, (...results) => {
        resolve(results);
      });
    });
  t.same(await found(false), [null, '8.8.8.8', 4]);
  t.same(await found(true), [null, [{ address: '8.8.8.8', family: 4 }]]);
});
