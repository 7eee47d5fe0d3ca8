import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import type { DownloadResult } from './download.js';
import { readState } from './download-state.js';
import { sendPiece, serveFile, startPublisher, TEST_LIMITS, tryDownload } from './testing/publisher.js';

const ROWS = 'prefix,country\n'.repeat(100);
const OLD = 'yesterday’s rows\n';

/** Wrong responses of a publisher, and the expected failure for each. */
const REFUSED: readonly {
  readonly name: string;
  readonly body: Buffer;
  readonly file?: { readonly name: string; readonly container: 'zip' | 'gz' };
  readonly failure: string;
  readonly text: RegExp;
}[] = [
  {
    name: 'an HTML page with status 200',
    body: Buffer.from('<!DOCTYPE html><html>Sorry</html>'),
    failure: 'container',
    text: /HTML page/,
  },
  {
    name: 'text instead of a zip',
    body: Buffer.from('THIS FILE CAN ONLY BE DOWNLOADED 5 TIMES'),
    file: { name: 'file.zip', container: 'zip' },
    failure: 'container',
    text: /expected a zip, found text: "THIS FILE/,
  },
  {
    name: 'a file that is too small',
    body: Buffer.from('version 1\n'),
    failure: 'small',
    text: /10 bytes, expected at least 50/,
  },
  {
    name: 'a gz file without its last bytes, with the right Content-Length',
    body: gzipSync(Buffer.from(ROWS.repeat(50))).subarray(0, -9),
    file: { name: 'file.csv.gz', container: 'gz' },
    failure: 'truncated',
    text: /damaged gzip/,
  },
  {
    name: 'a zip without its directory, with the right Content-Length',
    body: zipFile([{ name: 'rows', bytes: Buffer.from(ROWS) }]).subarray(0, -30),
    file: { name: 'file.zip', container: 'zip' },
    failure: 'truncated',
    text: /damaged zip/,
  },
];

for (const { name, body, file, failure, text } of REFUSED) {
  t.test(`${name} is refused, and the last good copy stays`, async (t) => {
    const dir = t.testdir();
    const good = file?.container === 'zip' ? zipFile([{ name: 'a', bytes: Buffer.from(OLD) }]) : OLD;
    const publisher = await startPublisher(
      t,
      serveFile(file?.container === 'gz' ? gzipSync(OLD) : good, '"old"'),
    );
    const download = { url: `${publisher.url}/file`, minBytes: 1 };
    const first = await tryDownload({ dir, download, ...file });
    t.equal(first.outcome, 'downloaded', first.text);
    const kept = readFileSync(join(dir, first.file));
    publisher.answer = serveFile(body, '"new"');
    const result = await tryDownload({ dir, download: { ...download, minBytes: 50 }, ...file });
    t.match(result, { outcome: 'failed', failure, text, file: first.file, copy: { etag: '"old"' } });
    t.ok(readFileSync(join(dir, first.file)).equals(kept), 'the copy is untouched');
    t.same(unfinished(dir), [], 'a refused file is not resumed');
    const asked = publisher.asked.length;
    await tryDownload({ dir, download: { ...download, minBytes: 50 }, ...file });
    t.equal(publisher.asked.length, asked + 1, 'a complete but wrong file is requested once per run');
  });
}

t.test('acceptSmall accepts a file below the minimum size, but never an empty file', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(''));
  const download = { url: `${publisher.url}/file.csv`, minBytes: 1_000_000 };
  const context = { acceptSmall: true };
  t.match(await tryDownload({ dir, download, context }), { outcome: 'failed', text: 'the file is empty' });
  publisher.answer = serveFile(ROWS);
  t.match(await tryDownload({ dir, download }), { outcome: 'failed', failure: 'small' });
  t.match(await tryDownload({ dir, download, context }), { outcome: 'downloaded' });
});

t.test('a file of exactly the minimum size is accepted', async (t) => {
  const publisher = await startPublisher(t, serveFile(ROWS));
  const download = { url: `${publisher.url}/file.csv`, minBytes: ROWS.length };
  t.match(await tryDownload({ dir: t.testdir(), download }), { outcome: 'downloaded' });
});

t.test('the connection of an answer that is not a file is closed, whatever follows', async (t) => {
  for (const status of [304, 404, 403]) {
    let isClosed: Promise<unknown> = Promise.resolve();
    const publisher = await startPublisher(t, (_request, response) => {
      isClosed = once(response, 'close');
      response.writeHead(status, { 'Content-Length': '1000000' }).flushHeaders();
    });
    const result = await tryDownload({
      dir: t.testdir({ [status]: {} }),
      download: `${publisher.url}/file.csv`,
    });
    t.match(result, { outcome: 'failed', text: new RegExp(`HTTP ${status}`) });
    await isClosed;
  }
});

t.test('a second run sends ETag and Last-Modified and downloads nothing', async (t) => {
  const dir = t.testdir();
  const modified = 'Tue, 03 Nov 2026 10:00:00 GMT';
  const publisher = await startPublisher(t, (request, response) => {
    if (request.headers['if-modified-since'] === modified) response.writeHead(304).end();
    else response.writeHead(200, { 'Last-Modified': modified }).end(ROWS);
  });
  const download = `${publisher.url}/file.csv`;
  t.match(await tryDownload({ dir, download }), {
    outcome: 'downloaded',
    text: '1,500 bytes',
    file: 'feed/file.csv',
  });
  t.equal(
    statSync(join(dir, 'feed/file.csv')).mtime.toUTCString(),
    modified,
    'the file has its publisher’s date',
  );
  t.match(await tryDownload({ dir, download }), { outcome: 'unchanged' });
  t.equal(publisher.asked.length, 2);
  publisher.answer = serveFile('rows of tonight\n', '"two"');
  t.match(await tryDownload({ dir, download }), { outcome: 'downloaded', copy: { etag: '"two"' } });
  t.match(await tryDownload({ dir, download }), { outcome: 'unchanged' });
  t.equal(publisher.asked.at(-1)?.headers['if-none-match'], '"two"');
  t.equal(readFileSync(join(dir, 'feed/file.csv'), 'utf8'), 'rows of tonight\n');
});

t.test('a 304 without a copy is an error', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (_request, response) => response.writeHead(304).end());
  const download = `${publisher.url}/file.csv`;
  const result = await tryDownload({ dir, download });
  t.match(result, { outcome: 'failed', failure: 'http', text: /HTTP 304/ });
  t.notOk(result.copy);
});

t.test('a removed or truncated copy is downloaded again', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ROWS));
  const download = `${publisher.url}/file.csv`;
  await tryDownload({ dir, download });
  writeFileSync(join(dir, 'feed/file.csv'), 'cut');
  t.match(await tryDownload({ dir, download }), { outcome: 'downloaded' });
  t.equal(readFileSync(join(dir, 'feed/file.csv'), 'utf8'), ROWS);
});

t.test('each file is requested once per night, also after a failure', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ROWS));
  const context = { since: new Date() };
  const trial = { dir, download: `${publisher.url}/file.csv`, context };
  const results = await Promise.all([tryDownload(trial), tryDownload(trial), tryDownload(trial)]);
  for (const result of results) t.match(result, { outcome: 'downloaded' });
  t.equal(publisher.asked.length, 1, 'the other calls waited for the first');
  publisher.answer = (_request, response) => response.writeHead(404).end();
  const missing = { ...trial, download: `${publisher.url}/other.csv`, name: 'other.csv' };
  const [one, two] = [await tryDownload(missing), await tryDownload(missing)];
  t.match(one, { outcome: 'failed', failure: 'http', text: /HTTP 404: not found: http.*other\.csv/ });
  t.same(two, one);
  t.equal(publisher.asked.length, 2);
});

t.test('a file without ETag and Last-Modified is requested once per night', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (_request, response) => response.end(ROWS));
  const download = `${publisher.url}/file.csv`;
  t.match(await tryDownload({ dir, download }), { outcome: 'downloaded' });
  t.match(await tryDownload({ dir, download }), { outcome: 'unchanged', text: /not requested again/ });
  t.equal(publisher.asked.length, 1);
  const tomorrow = { now: () => new Date(Date.now() + 24 * 3_600_000) };
  t.match(await tryDownload({ dir, download, context: tomorrow }), { outcome: 'unchanged' });
  t.equal(publisher.asked.length, 2, 'the same bytes count as unchanged');
});

t.test('no request is sent during a publisher’s pauseHours, also after a failed request', async (t) => {
  const dir = t.testdir();
  const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
  const publisher = await startPublisher(t, (_request, response) => response.writeHead(404).end());
  const download = { url: `${publisher.url}/file.csv`, pauseHours: 1 };
  t.match(await tryDownload({ dir, download }), { outcome: 'failed', failure: 'http' });
  t.match(
    await tryDownload({ dir, download }),
    { outcome: 'failed', failure: 'http', text: /not requested again within 1 h/ },
    'the reason is that of the request',
  );
  t.equal(publisher.asked.length, 1);
  publisher.answer = serveFile(ROWS);
  t.match(await tryDownload({ dir, download, context: later(1.1) }), { outcome: 'downloaded' });
  t.match(await tryDownload({ dir, download, context: later(2) }), {
    outcome: 'unchanged',
    text: /within 1 h/,
  });
  t.equal(publisher.asked.length, 2);
  t.match(await tryDownload({ dir, download, context: later(2.2) }), { outcome: 'unchanged' });
  t.equal(publisher.asked.length, 3);
});

t.test('after a 429 no request is sent until Retry-After', async (t) => {
  const hours = (n: number) => ({ now: () => new Date(Date.now() + n * 3_600_000) });
  const cases: readonly [string, Record<string, string>, number, number][] = [
    ['with Retry-After in seconds', { 'Retry-After': '7200' }, 1.9, 2.1],
    [
      'with Retry-After as a date',
      { 'Retry-After': new Date(Date.now() + 5 * 3_600_000).toUTCString() },
      4.9,
      5.1,
    ],
    ['without Retry-After, before the next night', {}, 19.9, 20.1],
  ];
  for (const [name, headers, before, after] of cases) {
    const dir = t.testdir({ [name.replaceAll(' ', '-')]: {} });
    const publisher = await startPublisher(t, serveFile(OLD));
    const download = `${publisher.url}/file.csv`;
    await tryDownload({ dir, download });
    publisher.answer = (_request, response) => response.writeHead(429, headers).end('slow down');
    const result = await tryDownload({ dir, download });
    t.match(
      result,
      { outcome: 'failed', failure: 'throttled', text: /HTTP 429; next request after 20/ },
      name,
    );
    t.equal(publisher.asked.length, 2, `${name}: no retry`);
    const waiting = await tryDownload({ dir, download, context: hours(before) });
    t.match(waiting, { outcome: 'failed', failure: 'throttled', copy: { name: 'file.csv' } });
    t.equal(publisher.asked.length, 2, `${name}: no request before Retry-After`);
    publisher.answer = serveFile(ROWS, '"new"');
    t.match(await tryDownload({ dir, download, context: hours(after) }), { outcome: 'downloaded' }, name);
  }
});

t.test('503 is retried after its Retry-After, or on the next night if that is long', async (t) => {
  const dir = t.testdir();
  let answers = 0;
  const publisher = await startPublisher(t, (request, response) => {
    if (++answers < 3) response.writeHead(503, { 'Retry-After': '0' }).end();
    else serveFile(ROWS)(request, response);
  });
  t.match(await tryDownload({ dir, download: `${publisher.url}/file.csv` }), { outcome: 'downloaded' });
  t.equal(publisher.asked.length, 3);
  publisher.answer = (_request, response) => response.writeHead(503, { 'Retry-After': '600' }).end();
  const result = await tryDownload({ dir, download: `${publisher.url}/file.csv` });
  t.match(result, { outcome: 'failed', failure: 'http', text: /HTTP 503; next request after/ });
  t.equal(publisher.asked.length, 4);
});

t.test('a request timeout (408) of the publisher is retried', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (_request, response) => {
    response.writeHead(408).end();
    publisher.answer = serveFile(ROWS);
  });
  t.match(await tryDownload({ dir, download: `${publisher.url}/file.csv` }), { outcome: 'downloaded' });
  t.equal(publisher.asked.length, 2);
});

t.test('a file dated in the future gets the date of its download', async (t) => {
  const dir = t.testdir();
  const now = new Date('2026-11-22T12:00:00Z');
  const publisher = await startPublisher(t, (_request, response) => {
    response.setHeader('Last-Modified', 'Mon, 22 Nov 2027 12:00:00 GMT').end(ROWS);
  });
  await tryDownload({ dir, download: `${publisher.url}/file.csv`, context: { now: () => now } });
  t.same(statSync(join(dir, 'feed', 'file.csv')).mtime, now);
});

t.test('500 is retried up to the number of tries, 403 is not retried', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (_request, response) => response.writeHead(500).end());
  const failed = await tryDownload({ dir, download: `${publisher.url}/file.csv` });
  t.match(failed, { outcome: 'failed', failure: 'http', text: /HTTP 500/, file: 'feed/file.csv' });
  t.notOk(failed.copy);
  t.equal(publisher.asked.length, TEST_LIMITS.tries);
  publisher.answer = (_request, response) => response.writeHead(403).end();
  t.match(await tryDownload({ dir, download: `${publisher.url}/file.csv` }), {
    text: /HTTP 403: check the credentials/,
  });
  t.equal(publisher.asked.length, TEST_LIMITS.tries + 1);
});

t.test('a reset connection is retried', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (request) => {
    request.socket.resetAndDestroy();
    publisher.answer = serveFile(ROWS);
  });
  t.match(await tryDownload({ dir, download: `${publisher.url}/file.csv` }), { outcome: 'downloaded' });
  t.equal(publisher.asked.length, 2);
  publisher.answer = (request) => request.socket.resetAndDestroy();
  const result = await tryDownload({ dir, download: `${publisher.url}/other.csv` });
  t.match(result, { outcome: 'failed', failure: 'network', text: /ECONNRESET/ });
  t.match(await tryDownload({ dir, download: 'http://127.0.0.1:1/file.csv' }), {
    failure: 'network',
    text: /ECONNREFUSED/,
  });
});

t.test('missing headers, a stalled body and an endless slow body reach a time limit', async (t) => {
  const dir = t.testdir();
  const cases = {
    'no answer': { limits: { headersTimeoutMs: 50 }, text: /no answer from 127\.0\.0\.1:\d+ within 0\.05 s/ },
    'a stalled body': { limits: { idleTimeoutMs: 50 }, text: /no data from .* for 0\.05 s/ },
    'a drip': { limits: { budgetMs: 300 }, text: /exceeded the time limit/ },
  } as const;
  const publisher = await startPublisher(t, () => undefined);
  for (const [name, { limits, text }] of Object.entries(cases)) {
    publisher.answer = (_request, response) => {
      if (name === 'no answer') return;
      response.writeHead(200, { 'Content-Length': 1000 }).write('row\n');
      if (name === 'a stalled body') return;
      const drip = setInterval(() => response.write('r'), 10);
      response.on('close', () => {
        clearInterval(drip);
      });
    };
    const context = { limits: { ...TEST_LIMITS, tries: 2, ...limits } };
    const result = await tryDownload({ dir, download: `${publisher.url}/file.csv`, context });
    t.match(result, { outcome: 'failed', failure: 'timeout', text }, name);
  }
});

t.test('a body that ends early is never accepted as the file', async (t) => {
  const dir = t.testdir();
  const bytes = Buffer.from(ROWS);
  const ways: Record<string, Record<string, string | number>> = {
    'fewer bytes than Content-Length': { 'Content-Length': bytes.length },
    'no last chunk': { 'Transfer-Encoding': 'chunked' },
  };
  const publisher = await startPublisher(t, () => undefined);
  for (const [name, headers] of Object.entries(ways)) {
    rmSync(join(dir, '.state'), { recursive: true, force: true });
    publisher.answer = (_request, response) => {
      response.writeHead(200, headers);
      sendPiece(response, bytes.subarray(0, 700), { dir, size: 700 });
    };
    // One try only: sendPiece would see the partial file of the first try and drop a second connection at once.
    const context = { limits: { ...TEST_LIMITS, tries: 1 } };
    const result = await tryDownload({ dir, download: `${publisher.url}/file.csv`, context });
    t.match(
      result,
      {
        outcome: 'failed',
        failure: 'truncated',
        text: /the body ended after 700 of (1500|an unknown number of) bytes/,
      },
      name,
    );
    t.notOk(existsSync(join(dir, 'feed/file.csv')));
  }
});

t.test('a body above maxBytes is aborted and removed', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(OLD, '"old"'));
  const url = `${publisher.url}/file.csv`;
  t.match(await tryDownload({ dir, download: { url, maxBytes: OLD.length * 2 } }), { outcome: 'downloaded' });
  const ways: Record<string, RequestListener> = {
    announced: (_request, response) => response.writeHead(200, { 'Content-Length': 1501 }).write('row\n'),
    unannounced: (_request, response) => {
      const drip = setInterval(() => response.write(ROWS.slice(0, 700)), 1);
      response.on('close', () => {
        clearInterval(drip);
      });
    },
  };
  for (const [name, answer] of Object.entries(ways)) {
    publisher.answer = answer;
    const asked = publisher.asked.length;
    const large = { outcome: 'failed', failure: 'large', text: 'too large: more than 1,500 bytes' };
    t.match(
      await tryDownload({ dir, download: { url, maxBytes: 1500 } }),
      large,
      `${name}, for one download`,
    );
    const context = { limits: { ...TEST_LIMITS, maxBytes: 1500 } };
    t.match(
      await tryDownload({ dir, download: { url, maxBytes: 9999 }, context }),
      large,
      `${name}, for all`,
    );
    t.equal(publisher.asked.length, asked + 2, 'not retried');
    t.same(unfinished(dir), []);
    t.equal(readFileSync(join(dir, 'feed/file.csv'), 'utf8'), OLD);
  }
  publisher.answer = serveFile(ROWS, '"new"');
  t.match(await tryDownload({ dir, download: { url, maxBytes: 1500 } }), { outcome: 'downloaded' });
});

t.test('a file that is declared smaller, also unpacked, is aborted or rejected', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ROWS));
  const url = `${publisher.url}/file.csv`;
  const text = 'too large: more than 1,000 bytes';
  t.match(await tryDownload({ dir, download: url, maxUnpackedBytes: 1_000 }), { failure: 'large', text });
  t.match(await tryDownload({ dir, download: url, maxUnpackedBytes: ROWS.length }), {
    outcome: 'downloaded',
  });
  publisher.answer = serveFile(gzipSync(Buffer.alloc(1_001)));
  const packed = { dir, name: 'file.gz', container: 'gz', download: `${publisher.url}/file.gz` } as const;
  t.match(await tryDownload({ ...packed, maxUnpackedBytes: 1_000 }), {
    failure: 'large',
    text: 'more than 1,000 bytes unpacked',
  });
  t.match(await tryDownload({ ...packed, maxUnpackedBytes: 1_001 }), { outcome: 'downloaded' });
});

t.test('endless redirects are an error', async (t) => {
  const publisher = await startPublisher(t, (request, response) => {
    response.writeHead(302, { Location: `${request.url!}x` }).end();
  });
  const result = await tryDownload({ dir: t.testdir(), download: `${publisher.url}/file.csv` });
  t.match(result, { outcome: 'failed', failure: 'redirects', text: /more than 5 redirects/ });
  t.equal(publisher.asked.length, 6);
  publisher.answer = (_request, response) => response.writeHead(302, { Location: 'http://[' }).end();
  t.match(await tryDownload({ dir: t.testdir(), download: `${publisher.url}/file.csv` }), {
    failure: 'redirects',
  });
});

t.test('URLs and redirects without TLS are refused', async (t) => {
  const dir = t.testdir();
  const plain = await tryDownload({ dir, download: 'http://example.org/file.csv' });
  t.match(plain, { outcome: 'failed', failure: 'insecure', text: 'http://example.org is not https' });
  const publisher = await startPublisher(t, (_request, response) => {
    response.writeHead(302, { Location: 'http://example.org/file.csv?signature=hush' }).end();
  });
  const redirected = await tryDownload({ dir, download: `${publisher.url}/file.csv` });
  t.match(redirected, { failure: 'insecure', text: 'http://example.org is not https' });
});

t.test('if this month is not published yet, last month is downloaded until it is', async (t) => {
  const dir = t.testdir();
  const out = new Set(['2026-12']);
  const publisher = await startPublisher(t, (request, response) => {
    const month = /\d{4}-\d\d/.exec(request.url!)![0];
    if (out.has(month)) serveFile(ROWS + month, `"${month}"`)(request, response);
    else response.writeHead(404).end();
  });
  const download = `${publisher.url}/lite-{yyyy}-{mm}.csv`;
  const trial = {
    dir,
    download,
    name: 'lite-*.csv',
    context: { now: () => new Date('2027-01-02T03:00:00Z') },
  };
  t.match(await tryDownload(trial), { outcome: 'downloaded', file: 'feed/lite-2026-12.csv' });
  t.match(await tryDownload(trial), { outcome: 'unchanged' });
  t.same(
    publisher.asked.map(({ url, headers }) => [url, headers['if-none-match']]),
    [
      ['/lite-2027-01.csv', undefined],
      ['/lite-2026-12.csv', undefined],
      ['/lite-2027-01.csv', undefined],
      ['/lite-2026-12.csv', '"2026-12"'],
    ],
  );
  out.add('2027-01');
  t.match(await tryDownload(trial), { outcome: 'downloaded', file: 'feed/lite-2027-01.csv' });
  t.same(readdirSync(join(dir, 'feed')), ['lite-2027-01.csv'], 'the file of last month is removed');
  out.clear();
  t.match(await tryDownload(trial), {
    outcome: 'failed',
    text: /not found: .*lite-2027-01\.csv, .*lite-2026-12\.csv/,
  });
});

t.test('the publisher’s sha256 is compared, and shows whether the file is new', async (t) => {
  const dir = t.testdir();
  const right = 'bb88dba8ffd3ee1f3ac2dd1d5ea9a5b7cb2e2e6f6f8a4e2c54a1e7a1f7f6f5f4';
  let stated = `${right}  file.csv\n`;
  const publisher = await startPublisher(t, (request, response) => {
    if (request.url === '/file.csv') response.end(ROWS);
    else response.end(stated);
  });
  const download = { url: `${publisher.url}/file.csv`, sha256Url: `${publisher.url}/file.csv.sha256` };
  const wrong = await tryDownload({ dir, download });
  t.match(wrong, { outcome: 'failed', failure: 'sha256', text: `expected ${right}` });
  t.notOk(existsSync(join(dir, 'feed/file.csv')));
  const [, actual] = /^sha256 ([0-9a-f]{64}),/.exec(wrong.text) ?? [];
  stated = `${actual!.toUpperCase()} *file.csv\n`;
  t.match(await tryDownload({ dir, download }), { outcome: 'downloaded' });
  const asked = publisher.asked.length;
  t.match(await tryDownload({ dir, download }), { outcome: 'unchanged' });
  t.equal(publisher.asked.length, asked + 1, 'only the checksum was requested');
  stated = 'Too many requests';
  t.match(await tryDownload({ dir, download }), { failure: 'sha256', text: /has no sha256/ });
});

t.test(
  'without a name in the URL, Content-Disposition gives the name, which must match the pattern',
  async (t) => {
    const dir = t.testdir();
    let disposition = 'attachment; filename=DB_20261103.csv';
    const publisher = await startPublisher(t, (_request, response) => {
      response.writeHead(200, { 'Content-Disposition': disposition }).end(ROWS);
    });
    const download = `${publisher.url}/download?suffix=csv`;
    const get = (): Promise<DownloadResult> =>
      tryDownload({
        dir,
        download,
        name: 'DB_*.csv',
        context: { now: () => new Date(Date.now() + nights++ * 1e8) },
      });
    let nights = 0;
    t.match(await get(), { outcome: 'downloaded', file: 'feed/DB_20261103.csv' });
    for (const evil of ['../DB_1.csv', 'DB_/../../x.csv', 'other.csv']) {
      disposition = `attachment; filename="${evil}"`;
      t.match(await get(), { outcome: 'failed', failure: 'name' }, evil);
    }
    t.same(readdirSync(join(dir, 'feed')), ['DB_20261103.csv']);
  },
);

t.test('a missing state file is an empty state; a folder in its place is an error', async (t) => {
  t.same(await readState(join(t.testdir(), 'none.json')), {});
  await t.rejects(readState(t.testdir()), { code: 'EISDIR' });
});

t.test('after an unreadable state file, the file is downloaded again', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(ROWS));
  const download = `${publisher.url}/file.csv`;
  await tryDownload({ dir, download });
  const [state] = readdirSync(join(dir, '.state/feed'));
  for (const torn of ['{"copy":', '{"copy":{"name":7}}', '']) {
    writeFileSync(join(dir, '.state/feed', state!), torn);
    t.match(await tryDownload({ dir, download }), { outcome: 'downloaded' });
  }
});

function unfinished(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.part') || name.includes('.tmp-'));
}
