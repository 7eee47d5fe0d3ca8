import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sendPiece, serveFile, startPublisher, TEST_LIMITS, tryDownload } from './testing/publisher.js';

const ROWS = Buffer.from(Array.from({ length: 200 }, (_, n) => `10.0.${n}.0/24,CN\n`).join(''));
const HALF = 1500;
const NEW_ROWS = Buffer.from('192.0.2.0/24,JP\n'.repeat(200));

/** Sends the first half of the rows and drops the connection. */
function sendHalf(dir: string, headers: Record<string, string>): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Length': ROWS.length, ...headers });
    sendPiece(response, ROWS.subarray(0, HALF), { dir, size: HALF });
  };
}

/** One try per night. */
const context = { limits: { ...TEST_LIMITS, tries: 1 } };

/** Runs a night that leaves half a file, then one with another response. Returns the requested ranges. */
async function twoNights(t: Test, cut: Record<string, string>, then: RequestListener) {
  const dir = t.testdir();
  const publisher = await startPublisher(t, sendHalf(dir, cut));
  const download = `${publisher.url}/file.csv`;
  const first = await tryDownload({ dir, download, context });
  t.match(first, { outcome: 'failed', failure: 'truncated', text: `after ${HALF} of ${ROWS.length} bytes` });
  publisher.answer = then;
  const second = await tryDownload({ dir, download, context });
  const kept = second.copy ? readFileSync(join(dir, 'feed/file.csv')) : undefined;
  const asked = publisher.asked.map(({ headers }) => [headers.range, headers['if-range']]);
  const again = () => tryDownload({ dir, download, context });
  return { dir, publisher, second, kept, asked, again };
}

const RESUMED = [
  [undefined, undefined],
  [`bytes=${HALF}-`, '"one"'],
];

t.test('only the rest of a truncated file is requested', async (t) => {
  const { second, kept, asked, publisher, again, dir } = await twoNights(
    t,
    { ETag: '"one"' },
    serveFile(ROWS),
  );
  t.match(second, { outcome: 'downloaded' });
  t.ok(kept?.equals(ROWS));
  t.same(asked, RESUMED);
  t.match(await again(), { outcome: 'unchanged' });
  t.equal(publisher.asked.at(-1)?.headers['if-none-match'], '"one"');
  t.same(
    readdirSync(join(dir, '.state/feed')).filter((name) => name.endsWith('.part')),
    [],
  );
});

t.test('a truncated file is also resumed by Last-Modified', async (t) => {
  const modified = 'Tue, 03 Nov 2026 10:00:00 GMT';
  const { kept, asked } = await twoNights(
    t,
    { ETag: 'W/"weak"', 'Last-Modified': modified },
    (_request, response) => {
      response.writeHead(206, { 'Content-Range': `bytes ${HALF}-${ROWS.length - 1}/${ROWS.length}` });
      response.end(ROWS.subarray(HALF));
    },
  );
  t.ok(kept?.equals(ROWS));
  t.same(asked[1], [`bytes=${HALF}-`, modified]);
});

t.test('each try within a night resumes the file', async (t) => {
  const dir = t.testdir();
  const publisher = await startPublisher(t, (request, response) => {
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const piece = ROWS.subarray(from, from + 1000);
    response.writeHead(from === 0 ? 200 : 206, {
      ETag: '"one"',
      'Content-Length': ROWS.length - from,
      ...(from === 0 ? {} : { 'Content-Range': `bytes ${from}-${ROWS.length - 1}/${ROWS.length}` }),
    });
    if (from + piece.length === ROWS.length) response.end(piece);
    else sendPiece(response, piece, { dir, size: from + piece.length });
  });
  const limits = { ...TEST_LIMITS, tries: 5 };
  const result = await tryDownload({ dir, download: `${publisher.url}/file.csv`, context: { limits } });
  t.match(result, { outcome: 'downloaded' });
  t.equal(publisher.asked.length, Math.ceil(ROWS.length / 1000));
  t.ok(readFileSync(join(dir, 'feed/file.csv')).equals(ROWS));
});

t.test('if the server ignores Range, the whole file is received again', async (t) => {
  const { kept, asked } = await twoNights(t, { ETag: '"one"' }, (_request, response) => {
    response.writeHead(200, { ETag: '"one"', 'Content-Length': ROWS.length }).end(ROWS);
  });
  t.same(asked, RESUMED);
  t.ok(kept?.equals(ROWS));
});

t.test('the rest of a changed file is never appended to the old part', async (t) => {
  const ways: Record<string, RequestListener> = {
    'the server observes If-Range': serveFile(NEW_ROWS, '"two"'),
    'the server sends a piece of the new file': (request, response) => {
      if (request.headers.range === undefined) {
        serveFile(NEW_ROWS, '"two"')(request, response);
        return;
      }
      response.writeHead(206, {
        ETag: '"two"',
        'Content-Range': `bytes ${HALF}-${NEW_ROWS.length - 1}/${NEW_ROWS.length}`,
      });
      response.end(NEW_ROWS.subarray(HALF));
    },
    'the server sends another piece': (request, response) => {
      if (request.headers.range === undefined) {
        serveFile(NEW_ROWS, '"two"')(request, response);
        return;
      }
      response
        .writeHead(206, { 'Content-Range': `bytes 0-99/${NEW_ROWS.length}` })
        .end(NEW_ROWS.subarray(0, 100));
    },
  };
  for (const [name, then] of Object.entries(ways)) {
    const { second, again, dir } = await twoNights(t, { ETag: '"one"' }, then);
    const result = second.outcome === 'failed' ? await again() : second;
    t.match(result, { outcome: 'downloaded', copy: { etag: '"two"' } }, name);
    t.ok(readFileSync(join(dir, 'feed/file.csv')).equals(NEW_ROWS), name);
  }
});

t.test('after a 416 the download starts again, unless the file is complete', async (t) => {
  const refuse: RequestListener = (request, response) => {
    if (request.headers.range === undefined) serveFile(ROWS)(request, response);
    else response.writeHead(416, { 'Content-Range': `bytes */${ROWS.length}` }).end();
  };
  const { second, again, dir } = await twoNights(t, { ETag: '"one"' }, refuse);
  t.match(second, { outcome: 'failed', failure: 'truncated', text: /the rest of the file is not available/ });
  t.match(await again(), { outcome: 'downloaded' });
  t.ok(readFileSync(join(dir, 'feed/file.csv')).equals(ROWS));
  const short = ROWS.subarray(0, HALF);
  const whole = await twoNights(t, { ETag: '"one"' }, serveFile(short));
  t.match(whole.second, { outcome: 'downloaded' }, 'the received part was the complete file');
  t.ok(whole.kept?.equals(short));
});

t.test('without a validator nothing is resumed', async (t) => {
  const { kept, asked } = await twoNights(t, {}, serveFile(ROWS));
  t.same(asked[1], [undefined, undefined]);
  t.ok(kept?.equals(ROWS));
});
