import t from 'tap';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRaw, sendRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { isTagListed } from '../entity-tag.js';

const server = await runServer(t);
const PATH = '/openapi.json';

/** Asks for the document without decoding it. */
async function ask(headers: string, method = 'GET') {
  const bytes = `${method} ${PATH} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`;
  const text = await sendRaw(server.url, bytes);
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
  return { status: Number(text.slice(9, 12)), header, bytes: Buffer.from(text.slice(end + 4), 'latin1') };
}

t.test('decision 62: each coding has the same text, its own length and its own strong ETag', async (t) => {
  const plain = await ask('');
  const gzip = await ask('Accept-Encoding: gzip\r\n');
  const br = await ask('Accept-Encoding: gzip, br\r\n');
  t.ok(plain.bytes.length > 2 * gzip.bytes.length);
  t.ok(gunzipSync(gzip.bytes).equals(plain.bytes));
  t.ok(brotliDecompressSync(br.bytes).equals(plain.bytes));
  t.match(JSON.parse(plain.bytes.toString()), { openapi: '3.1.0' });
  t.same(
    [plain, gzip, br].map(({ header }) => header('content-encoding')),
    [undefined, 'gzip', 'br'],
  );
  for (const { status, header, bytes } of [plain, gzip, br]) {
    t.equal(status, 200);
    t.equal(Number(header('content-length')), bytes.length);
    t.match(header('etag'), /^"[0-9a-f]{32}"$/);
    t.equal(header('vary'), 'Accept-Encoding');
    t.equal(header('cache-control'), 'no-cache');
  }
  t.equal(new Set([plain, gzip, br].map(({ header }) => header('etag'))).size, 3);
  t.equal(
    (await ask('Accept-Encoding: br\r\n')).header('etag'),
    br.header('etag'),
    'the same at each request',
  );
});

t.test(
  'decision 62: the ETag of the accepted coding gets 304, any other 200; HEAD has no body',
  async (t) => {
    const accept = 'Accept-Encoding: gzip\r\n';
    const tag = (await ask(accept)).header('etag')!;
    for (const list of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, header, bytes } = await ask(`${accept}If-None-Match: ${list}\r\n`);
      t.equal(status, 304, list);
      t.equal(bytes.length, 0);
      t.same([header('etag'), header('vary')], [tag, 'Accept-Encoding']);
      t.match(header('x-ratelimit-reset'), /^\d+$/);
    }
    t.equal((await ask(`${accept}If-None-Match: "other"\r\n`)).status, 200);
    t.equal((await ask(`If-None-Match: ${tag}\r\n`)).status, 200, 'the text has another ETag');
    const whole = await ask(accept);
    const head = await ask(accept, 'HEAD');
    t.same([head.status, head.bytes.length], [200, 0]);
    t.equal(head.header('content-length'), whole.header('content-length'));
    t.equal((await ask(`${accept}If-None-Match: ${tag}\r\n`, 'HEAD')).status, 304);
  },
);

t.test('decision 72: lists of codings and tags that are too long count as absent', async (t) => {
  const long = (length: number) => `gzip,${'a,'.repeat(length)}`.slice(0, length);
  t.equal((await ask(`Accept-Encoding: ${long(256)}\r\n`)).header('content-encoding'), 'gzip');
  t.equal((await ask(`Accept-Encoding: ${long(257)}\r\n`)).header('content-encoding'), undefined);
  t.ok(isTagListed('"a",'.padEnd(1024, '"b",'), '"a"'));
  t.notOk(isTagListed('"a",'.padEnd(1025, '"b",'), '"a"'));
  t.end();
});

t.test('other pages have no ETag', async (t) => {
  t.notMatch((await getRaw(server.url, '/healthz')).head, /^etag:/im);
  t.notMatch((await getRaw(server.url, '/readyz')).head, /^etag:/im);
});

t.test('RFC 9110 §13.1.2: tags are compared weakly', (t) => {
  for (const list of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', ' * ']) t.ok(isTagListed(list, '"a"'), list);
  for (const list of ['"b"', 'a', '', '"a', '"A"', '"*"']) t.notOk(isTagListed(list, '"a"'), list);
  t.end();
});
