import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { keptUrl, secretUrl } from './download-address.js';
import { parseGeofeedList } from './geofeed-list.js';
import { withoutSecrets } from './secrets.js';
import { serveFile, startPublisher, TEST_LIMITS, tryDownload } from './testing/publisher.js';

const TOKEN = 'tok/en+4711=&abcdefghijklmnopqrstuvwxyz0123456789';
const variables = { ACCOUNT: '123456', LICENCE_KEY: 'k3y:hush hush', TOKEN };
const ZIP = zipFile([{ name: 'rows.csv', bytes: Buffer.from('rows') }]);
const file = { name: 'DB_*.zip', container: 'zip' } as const;

t.test('credentials are sent to the publisher, not to the target of its redirect', async (t) => {
  const dir = t.testdir();
  const storage = await startPublisher(t, (request, response) => {
    if (request.url!.startsWith('/hop'))
      response.writeHead(302, { Location: '/DB_2.zip?signature=s1gned' }).end();
    else serveFile(ZIP)(request, response);
  });
  const publisher = await startPublisher(t, (request, response) => {
    if (request.url === '/start') response.writeHead(301, { Location: '/moved' }).end();
    else response.writeHead(302, { Location: `${storage.url}/hop` }).end();
  });
  const download = { url: `${publisher.url}/start`, basicAuth: ['ACCOUNT', 'LICENCE_KEY'] } as const;
  t.match(await tryDownload({ dir, download, ...file, variables }), {
    outcome: 'downloaded',
    file: 'feed/DB_2.zip',
  });
  const basic = `Basic ${Buffer.from('123456:k3y:hush hush').toString('base64')}`;
  const sent = (asked: typeof storage.asked) => asked.map(({ url, headers }) => [url, headers.authorization]);
  t.same(sent(publisher.asked), [
    ['/start', basic],
    ['/moved', basic],
  ]);
  t.same(sent(storage.asked), [
    ['/hop', undefined],
    ['/DB_2.zip?signature=s1gned', undefined],
  ]);
  t.same(leaks(dir, ['s1gned', 'k3y', basic]), []);
});

t.test('credentials are not sent again after a redirect back to the publisher', async (t) => {
  const publisher = await startPublisher(t, () => undefined);
  const other = await startPublisher(t, (_request, response) => {
    response.writeHead(302, { Location: `${publisher.url}/DB_1.zip` }).end();
  });
  publisher.answer = (request, response) => {
    if (request.url === '/start') response.writeHead(302, { Location: `${other.url}/` }).end();
    else serveFile(ZIP)(request, response);
  };
  const download = { url: `${publisher.url}/start`, basicAuth: ['ACCOUNT', 'LICENCE_KEY'] } as const;
  t.match(await tryDownload({ dir: t.testdir(), download, ...file, variables }), { outcome: 'downloaded' });
  t.same(
    publisher.asked.map(({ headers }) => headers.authorization !== undefined),
    [true, false],
  );
});

t.test('a token is sent, and is in no file or message', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ZIP));
  const download = { url: `${publisher.url}/DB_1.zip?token={TOKEN}&file=DB11`, minBytes: 1 };
  t.match(await tryDownload({ dir, download, ...file, variables }), { outcome: 'downloaded' });
  t.match(await tryDownload({ dir, download, ...file, variables }), { outcome: 'unchanged' });
  t.equal(publisher.asked[1]!.headers['if-none-match'], '"one"');
  t.equal(new URL(publisher.asked[0]!.url!, publisher.url).searchParams.get('token'), TOKEN);
  t.same(leaks(dir, [TOKEN, encodeURIComponent(TOKEN)]), []);
});

t.test(
  'the query of a listed geofeed, which may be secret, is sent, and is in no file or message',
  async (t) => {
    const dir = t.testdir();
    const publisher = await startPublisher(t, serveFile('192.0.2.0/24,US,,,\n'));
    const { files } = parseGeofeedList(`${publisher.url}/geo.csv?key=hushhush#hushtoo`);
    const trial = { dir, download: files[0]!.download! };
    const notFound: RequestListener = (_request, response) => response.writeHead(404).end();
    const stray: RequestListener = (_request, response) =>
      response.writeHead(302, { Location: 'http://u:hushhush@example.org/?key=hushhush' }).end();
    const cases: readonly [RequestListener, string][] = [
      [serveFile('192.0.2.0/24,US,,,\n'), 'downloaded'],
      [serveFile('192.0.2.0/24,US,,,\n'), 'unchanged'],
      [notFound, `HTTP 404: not found: ${publisher.url}/geo.csv`],
      [stray, 'http://example.org is not https'],
      [(request) => request.socket.resetAndDestroy(), 'ECONNRESET'],
      [serveFile('<html>no key hushhu', '"two"'), 'HTML page: "<html>no key {query}"'],
      [serveFile('<html>/geo.csv?key=hushhush', '"two"'), 'HTML page: "<html>/geo.csv?{query}"'],
      [(_request, response) => response.writeHead(429).end(), 'HTTP 429'],
    ];
    for (const [answer, message] of cases) {
      publisher.answer = answer;
      const result = await tryDownload(trial);
      t.match(`${result.outcome}: ${result.text}`, message);
      t.notMatch(JSON.stringify(result), 'hush');
      t.same(leaks(dir, ['hush']), []);
    }
    t.equal(publisher.asked[0]!.url, '/geo.csv?key=hushhush');
    t.equal(publisher.asked[1]!.headers['if-none-match'], '"one"');
  },
);

t.test('URLs that differ in their secret parts are stored as different URLs', (t) => {
  t.equal(keptUrl('https://x.org/{yyyy}'), 'https://x.org/{yyyy}');
  t.match(keptUrl('https://u:hush@x.org/a?hush=1'), /^https:\/\/x\.org\/a\?sha256=[0-9a-f]{8}$/);
  t.not(keptUrl('https://x.org/a?b'), keptUrl('https://x.org/a?c'));
  t.throws(() => secretUrl('x?hush', new Map()), { message: 'not a URL: x' });
  t.end();
});

t.test('a secret in a publisher’s response is replaced in messages', async (t) => {
  const bodies = [TOKEN, encodeURIComponent(TOKEN), `INVALID TOKEN, your key is not good: ${TOKEN}`];
  for (const text of bodies) {
    const dir = t.testdir();
    const publisher = await startPublisher(t, (_request, response) => response.end(text));
    const download = { url: `${publisher.url}/DB_1.zip?token={TOKEN}` };
    const result = await tryDownload({ dir, download, ...file, variables });
    t.match(result, { outcome: 'failed', failure: 'container', text: /\{TOKEN\}/ });
    t.notMatch(JSON.stringify(result), /tok.?.?.?en.?.?.?4711/);
    t.same(leaks(dir, ['tok/en', 'tok%2Fen']), []);
  }
});

t.test('no failure message contains a secret', async (t) => {
  const publisher = await startPublisher(t, () => undefined);
  const secrets = { ...variables, TOKEN: 'verysecrettoken' };
  const answers = [200, 302, 401, 404, 429, 500].map((status) => ({ status, location: 'http://[bad' }));
  for (const [n, { status, location }] of answers.entries()) {
    const dir = t.testdir();
    publisher.answer = (_request, response) => response.writeHead(status, { Location: location }).end('');
    const url = `${publisher.url}/DB_${n}.zip?token={TOKEN}`;
    const download = { url, sha256Url: `${url}&sum`, basicAuth: ['ACCOUNT', 'LICENCE_KEY'] } as const;
    for (const limits of [TEST_LIMITS, { ...TEST_LIMITS, headersTimeoutMs: 1 }]) {
      const result = await tryDownload({ dir, download, ...file, variables: secrets, context: { limits } });
      t.equal(result.outcome, 'failed', `HTTP ${status}`);
      t.notMatch(JSON.stringify(result), /verysecret|k3y|123456/);
    }
    t.same(leaks(dir, ['verysecret', 'k3y']), []);
  }
});

t.test('a file with unset variables is skipped, and the message names them', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ZIP));
  const download = {
    url: `${publisher.url}/DB_1.zip?t={TOKEN}`,
    basicAuth: ['ACCOUNT', 'LICENCE_KEY'],
  } as const;
  const trial = { dir, download, ...file };
  const none = await tryDownload({ ...trial, variables: { LICENCE_KEY: ' ' } });
  t.match(none, {
    outcome: 'skipped',
    text: 'ACCOUNT and LICENCE_KEY and TOKEN are not set',
    file: 'feed/DB_*.zip',
  });
  const some = await tryDownload({ ...trial, variables: { ...variables, TOKEN: '' } });
  t.match(some, { outcome: 'skipped', text: 'TOKEN is not set' });
  t.equal(publisher.asked.length, 0);
  await tryDownload({ ...trial, variables });
  t.match(await tryDownload(trial), {
    outcome: 'skipped',
    file: 'feed/DB_1.zip',
    copy: { name: 'DB_1.zip' },
  });
});

t.test('secrets and prefixes of secrets in a text are replaced by their variables’ names', (t) => {
  const secrets = new Map([['KEY', 'abcdefghij']]);
  t.equal(withoutSecrets('is abcdefghij, or abcdefg', secrets), 'is {KEY}, or {KEY}');
  t.equal(withoutSecrets('abcde is short', secrets), 'abcde is short');
  t.equal(
    withoutSecrets('id 42', new Map([['ID', '42']])),
    'id {ID}',
    'a short secret is replaced only as a whole',
  );
  t.equal(withoutSecrets('a%20b c', new Map([['ID', 'a b']])), '{ID} c');
  t.end();
});

/** Returns the files below a folder that contain one of the texts. */
function leaks(dir: string, texts: readonly string[]): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(dir, name);
    return statSync(path).isFile() && texts.some((text) => readFileSync(path, 'latin1').includes(text));
  });
}
