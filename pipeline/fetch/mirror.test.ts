import t from 'tap';
import { startPublisher, tryDownload } from './testing/publisher.js';
import { isLoopback, Mirror, MirrorError } from './mirror.js';

t.test('a mirror keeps the publisher’s host as the first part of the path, both ways', (t) => {
  const mirror = new Mirror('https://mirror.example:8443');
  const url = new URL('https://ftp.ripe.net/pub/stats/a%20b?x=1&y=%2F');
  const wire = mirror.wireUrl(url);
  t.equal(wire.href, 'https://mirror.example:8443/ftp.ripe.net/pub/stats/a%20b?x=1&y=%2F');
  t.equal(mirror.publisherUrl(wire).href, url.href);
  t.equal(mirror.wireUrl(mirror.publisherUrl(wire)).href, wire.href);
  const elsewhere = new URL('https://example.org/x');
  t.equal(mirror.publisherUrl(elsewhere), elsewhere, 'other URLs are unchanged');
  t.end();
});

t.test('an invalid address of a mirror is refused, and the message does not contain it', (t) => {
  const bad = [
    'mirror',
    'ftp://mirror.example',
    'http://mirror.example',
    'http://127.0.0.1.example.org',
    'https://user:hush@mirror.example',
    'https://mirror.example/path',
    'https://mirror.example/?q',
  ];
  for (const url of bad) {
    t.throws(() => new Mirror(url), MirrorError, url);
    t.throws(() => new Mirror(url), { message: /^must be / });
  }
  for (const url of [
    'http://127.0.0.1:80',
    'http://localhost:8080',
    'http://[::1]:1/',
    'https://mirror.example/',
  ]) {
    t.ok(new Mirror(url), url);
  }
  t.notOk(isLoopback(new URL('https://localhost')), 'https needs no exception');
  t.end();
});

t.test('redirects to other publishers go through the mirror, without credentials', async (t) => {
  const server = await startPublisher(t, (request, response) => {
    const { url } = request;
    if (url === '/one.example/file.csv') response.writeHead(302, { Location: '/one.example/moved' }).end();
    else if (url === '/one.example/moved')
      response.writeHead(302, { Location: 'https://two.example/file.csv' }).end();
    else response.end('rows');
  });
  const download = { url: 'https://one.example/file.csv', basicAuth: ['USER', 'PASSWORD'] } as const;
  const variables = { USER: 'u', PASSWORD: 'p' };
  const context = { mirror: new Mirror(server.url) };
  t.match(await tryDownload({ dir: t.testdir(), download, variables, context }), { outcome: 'downloaded' });
  t.same(
    server.asked.map(({ url, headers }) => [url, headers.authorization !== undefined]),
    [
      ['/one.example/file.csv', true],
      ['/one.example/moved', true],
      ['/two.example/file.csv', false],
    ],
  );
});
