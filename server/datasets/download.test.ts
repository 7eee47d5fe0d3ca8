import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Failure } from '../failure.js';
import { newLedgerForTest } from '../ledger/testing/ledger.js';
import { DOWNLOADS } from '../ledger/meters/download-meter.js';
import type { DatasetFile } from '../release/snapshot.js';
import { download } from './download.js';

const GET = { method: 'GET', headers: {} } as const;
const DESCRIPTORS = '/proc/self/fd';

function datasetIn(t: Test, bytes = '0123456789'): DatasetFile {
  return {
    path: join(realpathSync(t.testdir({ 'geo.mmdb': bytes })), 'geo.mmdb'),
    type: 'ipatlas-City',
    filename: 'ipatlas-geo-20261121.mmdb',
    sizeBytes: 10,
    modified: 1_795_230_000,
    sha256: 'a'.repeat(64),
    buildEpoch: 1_795_230_000,
    nodeCount: 1,
    ipVersion: 6,
    languages: ['en'],
  };
}

/** Counts the descriptors of this process that refer to the file. */
function handlesOf({ path }: DatasetFile): number {
  return readdirSync(DESCRIPTORS).filter((name) => {
    const link = join(DESCRIPTORS, name);
    return existsSync(link) && readlinkSync(link) === path;
  }).length;
}

t.test('a refused download leaves no open file', { skip: !existsSync(DESCRIPTORS) }, async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const file = datasetIn(t);
  const asked = { accountId: 1, dataset: 'mmdb', file, origin: { licences: [] } } as const;
  for (let i = 0; i < DOWNLOADS.perHour; i++) await ledger.downloads.take(1, 'mmdb');
  for (let i = 0; i < 3; i++) {
    const refusal = await download(GET, asked, ledger.downloads).catch((error: unknown) => error);
    t.ok(refusal instanceof Failure);
    t.match(refusal, { status: 429, fields: { limit: DOWNLOADS.perHour } });
    t.equal(handlesOf(file), 0);
  }
  const granted = await download(GET, { ...asked, accountId: 2 }, ledger.downloads);
  t.equal(handlesOf(file), 1, 'a granted download has it open');
  assert(granted.kind === 'stream' && granted.stream);
  const chunks = await granted.stream.toArray();
  t.equal(Buffer.concat(chunks as Buffer[]).toString(), '0123456789');
});

t.test('only whole and partial files are counted; HEAD, 304 and 416 are not', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const file = datasetIn(t);
  const asked = { accountId: 1, dataset: 'mmdb', file, origin: { licences: [] } } as const;
  const answerTo = async (method: 'GET' | 'HEAD', headers: Record<string, string>) => {
    const answer = await download({ method, headers }, asked, ledger.downloads);
    assert(answer.kind === 'stream');
    const body = answer.stream ? Buffer.concat((await answer.stream.toArray()) as Buffer[]) : '';
    return { status: answer.status, headers: answer.headers, body: String(body) };
  };
  t.match(await answerTo('GET', { range: 'bytes=10-' }), {
    status: 416,
    headers: { 'Content-Range': 'bytes */10', 'Content-Length': '0' },
    body: '',
  });
  t.match(await answerTo('HEAD', { range: 'bytes=2-4' }), {
    status: 200,
    headers: { 'Content-Length': '10' },
  });
  t.match(await answerTo('GET', { 'if-none-match': '*' }), { status: 304, body: '' });
  t.match(await answerTo('GET', { range: 'bytes=2-4' }), {
    status: 206,
    headers: { 'Content-Range': 'bytes 2-4/10', 'Content-Length': '3', 'X-Dataset-Hourly-Used': '1' },
    body: '234',
  });
  const whole = await answerTo('GET', { range: 'bytes=2-4', 'if-range': '"other"' });
  t.match(whole, { status: 200, headers: { 'X-Dataset-Hourly-Used': '2' }, body: '0123456789' });
  t.notOk('Content-Range' in whole.headers);
});

t.test('a file of another size than in the manifest is not sent, counted or left open', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const file = datasetIn(t, 'shorter');
  const asked = { accountId: 1, dataset: 'mmdb', file, origin: { licences: [] } } as const;
  await t.rejects(download(GET, asked, ledger.downloads), { message: 'the dataset file is damaged' });
  if (existsSync(DESCRIPTORS)) t.equal(handlesOf(file), 0);
  t.match(await ledger.downloads.take(1, 'mmdb'), { hourUsed: 1 });
});
