import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { currentRelease, encodeManifest, MANIFEST } from '../../pipeline/release/release-store.js';
import { CHANGE_DOWNLOADS, DOWNLOADS } from '../ledger/meters/download-meter.js';
import { runServer } from '../testing/running-server.js';
import { publishSmallRelease } from '../testing/small-release.js';

const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-changes-'));
t.teardown(() => {
  rmSync(outputDir, { recursive: true, force: true });
});

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const SESSION = '0123456789abcdef0123456789abcdef';
const OLDEST = sha256('the file two releases before');
const OLDER = sha256('the file one release before');

/** Adds two deltas to the release. The server sends them as they are, so any bytes will do. */
async function addDeltas(): Promise<{ current: string; deltas: readonly Buffer[] }> {
  const { dir, manifest } = (await currentRelease(outputDir))!;
  const file = manifest.files.find(({ name }) => name === 'download/geo.mmdb')!;
  const deltas = [Buffer.from('the first delta'), Buffer.from('the second delta')];
  const ends = [OLDEST, OLDER, file.sha256];
  await mkdir(join(dir, 'changes'));
  const entries = [];
  for (const [i, bytes] of deltas.entries()) {
    const rows = gzipSync(`build ${i},1.1.1.0/24,city.names.en,Bath,Wells\r\n`);
    const stored = async (name: string, content: Buffer) => {
      await writeFile(join(dir, name), content);
      return { name, sizeBytes: content.length, sha256: sha256(content) };
    };
    entries.push({
      ...(await stored(`changes/geo-${i}.delta`, bytes)),
      serial: i + 2,
      from: { sha256: ends[i]!, sizeBytes: 1 },
      to: { sha256: ends[i + 1]!, sizeBytes: 1 },
      changes: 1,
      rows: await stored(`changes/geo-${i}.csv.gz`, rows),
    });
  }
  const listed = [{ file: file.name, session: SESSION, serial: 3, deltas: entries }];
  await writeFile(join(dir, MANIFEST), encodeManifest({ ...manifest, deltas: listed }));
  return { current: file.sha256, deltas };
}

await publishSmallRelease(outputDir);
const { current, deltas } = await addDeltas();
const server = await runServer(t, { outputDir, withRelease: false });
const newKey = async (plan: 'pro' | 'enterprise' = 'enterprise') => ({
  Authorization: `Bearer ${await server.key(plan)}`,
});
const CHANGES = '/api/datasets/mmdb/changes';

t.test('decision 85: the changes since a file are the contiguous deltas to the current one', async (t) => {
  const key = await newKey();
  const listed = (serials: readonly number[]) =>
    serials.map((serial) => {
      const bytes = deltas[serial - 2]!;
      return { serial, uri: `${CHANGES}/${sha256(bytes)}`, sha256: sha256(bytes), size: bytes.length };
    });
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['', [2, 3]],
    [`?since=${OLDEST}`, [2, 3]],
    [`?since=${OLDER}`, [3]],
    [`?since=${current}`, []],
  ];
  for (const [query, serials] of cases) {
    const { body } = await server.get(CHANGES + query, key);
    t.match(body, { code: 0, data: { session: SESSION, serial: 3, snapshot: { sha256: current } } }, query);
    t.match((body as { data: { deltas: object[] } }).data.deltas, listed(serials));
    t.equal((body as { data: { deltas: object[] } }).data.deltas.length, serials.length);
  }
  const unknown = await server.get(`${CHANGES}?since=${'0'.repeat(64)}`, key);
  t.match(unknown, {
    status: 200,
    body: { code: 404, snapshot: { uri: '/api/datasets/mmdb', sha256: current } },
  });
  t.match(unknown.body, { msg: `no changes since ${'0'.repeat(64)}: download the whole file` });
  t.match((await server.get(`${CHANGES}?since=1`, key)).body, { code: 400, msg: /^invalid since: expected/ });
  t.match((await server.get(`${CHANGES}?format=xml`, key)).body, {
    code: 400,
    msg: /^invalid format: expected/,
  });
  t.match((await server.get('/api/datasets/asn/changes', key)).body, {
    code: 0,
    data: { serial: 1, deltas: [] },
  });
});

t.test('changes need the enterprise plan', async (t) => {
  for (const path of [CHANGES, `${CHANGES}/${sha256(deltas[0]!)}`]) {
    t.match((await server.get(path)).body, { code: 401 });
    t.match((await server.get(path, await newKey('pro'))).body, { code: 403 });
  }
});

t.test('a delta and a range of it are sent as they are, an unknown one is 404', async (t) => {
  const headers = await newKey();
  const url = `${server.url}${CHANGES}/${sha256(deltas[1]!)}`;
  const whole = await fetch(url, { headers });
  t.equal(await whole.text(), 'the second delta');
  t.match(Object.fromEntries(whole.headers), {
    etag: `"${sha256(deltas[1]!)}"`,
    'content-type': 'application/octet-stream',
    'x-dataset-hourly-limit': String(CHANGE_DOWNLOADS.perHour),
  });
  const range = await fetch(url, { headers: { ...headers, Range: 'bytes=4-9' } });
  t.equal(range.status, 206);
  t.equal(await range.text(), 'second');
  t.match((await server.get(`${CHANGES}/${'0'.repeat(64)}`, headers)).body, { code: 404 });
  t.match((await server.get(`${CHANGES}/..%2f..%2fmanifest.json`, headers)).body, { code: 400 });
});

t.test('format=csv sends the rows of all steps after one header', async (t) => {
  const headers = await newKey();
  const sent = await fetch(`${server.url}${CHANGES}?since=${OLDEST}&format=csv`, { headers });
  t.equal(sent.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.equal(
    await sent.text(),
    'build,network,field,before,after\r\n' +
      'build 0,1.1.1.0/24,city.names.en,Bath,Wells\r\nbuild 1,1.1.1.0/24,city.names.en,Bath,Wells\r\n',
  );
  const none = await fetch(`${server.url}${CHANGES}?since=${current}&format=csv`, { headers });
  t.equal(await none.text(), 'build,network,field,before,after\r\n');
});

t.test('decision 86: changes and downloads have meters of their own', async (t) => {
  const headers = await newKey();
  const ask = async (path: string) => {
    const response = await fetch(server.url + path, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  for (let i = 0; i < DOWNLOADS.perHour; i++) t.equal(await ask('/api/datasets/mmdb'), 200);
  t.equal(await ask('/api/datasets/mmdb'), 429);
  const delta = `${CHANGES}/${sha256(deltas[0]!)}`;
  for (let i = 0; i < CHANGE_DOWNLOADS.perHour; i++) {
    const status = await ask(i % 2 === 0 ? delta : `${CHANGES}?format=csv`);
    if (status !== 200) t.fail(`${i}: ${status}`);
  }
  t.equal(await ask(delta), 429);
  t.equal(await ask(`${CHANGES}?format=csv`), 429);
  t.equal(await ask(CHANGES), 200, 'the list is not metered');
});
