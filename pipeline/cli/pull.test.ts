import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { makeDelta } from '../changes/make-delta.js';
import {
  changedNetworks,
  digested,
  fileOf,
  RANDOM_SCHEMA,
  randomNetworks,
  randomNumbers,
} from '../changes/testing/random-files.js';
import { pull, type Pulled } from './pull.js';
import { PullError, PullSource } from './pull-source.js';

/** Three files one after the other, and the deltas between them. */
const random = randomNumbers(21);
const first = randomNetworks(random, 80, 6);
const second = changedNetworks(random, first, 6);
const files = [first, second, changedNetworks(random, second, 6)].map((networks, i) =>
  digested(fileOf(networks, 6, i + 1)),
) as [Digested, Digested, Digested];
type Digested = ReturnType<typeof digested>;
const [A, B, C] = files;
const deltaOf = (old: Digested, now: Digested): Digested & { from: Digested; to: Digested } => ({
  ...digested(makeDelta({ dataset: 'geo', schema: RANDOM_SCHEMA, old, new: now })),
  ...{ from: old, to: now },
});
const AB = deltaOf(A, B);
const BC = deltaOf(B, C);

/** A server of the API for these files. `sent` replaces the bytes of a delta; `listed` the listed deltas. */
interface World {
  readonly listed?: readonly (typeof AB)[];
  readonly sent?: (delta: Buffer) => Buffer;
  readonly whole?: (response: ServerResponse, range: string | undefined) => void;
}

async function serve(t: Test, world: World = {}) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url);
    const { listed = [AB, BC], sent = (bytes: Buffer): Buffer => bytes, whole = sendWhole } = world;
    const { pathname, searchParams } = new URL(url, 'http://x');
    const json = (body: unknown): void => void response.end(JSON.stringify(body));
    if (headers.authorization !== 'Bearer secret') {
      json({ code: 401, msg: 'no valid key' });
    } else if (pathname === '/api/datasets/mmdb') {
      whole(response, headers.range);
    } else if (pathname === '/api/datasets/mmdb/changes') {
      const since = searchParams.get('since');
      const snapshot = { sha256: C.sha256, size: C.sizeBytes };
      const at = listed.findIndex(({ from }) => from.sha256 === since);
      const rest = since === C.sha256 ? [] : listed.slice(Math.max(0, at));
      const deltas = rest.map(({ sha256, sizeBytes, from, to }) => {
        return { sha256, size: sizeBytes, from_sha256: from.sha256, to_sha256: to.sha256 };
      });
      if (since !== null && at < 0 && rest.length > 0)
        json({ code: 404, msg: 'no changes since it', snapshot });
      else json({ code: 0, data: { snapshot, deltas } });
    } else {
      const bytes = sent([AB, BC].find(({ sha256 }) => pathname.endsWith(sha256))!.bytes);
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes.length });
      response.end(bytes);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { source: (key = 'secret') => new PullSource(url, '/api/datasets/mmdb', key), asked };
}

function sendWhole(response: ServerResponse, range: string | undefined): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, { 'Content-Type': 'application/octet-stream' });
  response.end(C.bytes.subarray(from));
}

/** Pulls into a folder that has a file. Returns the result, and what was said. */
async function pullInto(
  t: Test,
  { source, old }: { source: PullSource; old?: Buffer | undefined },
): Promise<{ into: string; result: Pulled | Error; said: string[] }> {
  const into = t.testdir(old ? { 'geo.mmdb': old } : {});
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const result = await pull({ source, dataset: 'geo', into, say }).catch((error: unknown) => error as Error);
  return { into, result, said };
}

t.test('a file is rebuilt from the deltas since it', async (t) => {
  for (const [old, deltas] of [
    [A, 2],
    [B, 1],
  ] as const) {
    const world = await serve(t);
    const { into, result } = await pullInto(t, { source: world.source(), old: old.bytes });
    t.match(result, { how: 'rebuilt', sha256: C.sha256, deltas });
    t.ok(readFileSync(join(into, 'geo.mmdb')).equals(C.bytes));
    t.strictSame(readdirSync(into), ['.geo.mmdb.lock', 'geo.mmdb']);
    t.notOk(world.asked.includes('/api/datasets/mmdb'), 'the whole file was not fetched');
  }
});

t.test('the current file stays, and a missing or unknown one is fetched whole', async (t) => {
  const world = await serve(t);
  t.match((await pullInto(t, { source: world.source(), old: C.bytes })).result, { how: 'unchanged' });
  for (const old of [undefined, Buffer.from('of another release')]) {
    const { into, result } = await pullInto(t, { source: world.source(), old });
    t.match(result, { how: 'whole', receivedBytes: C.sizeBytes });
    t.ok(readFileSync(join(into, 'geo.mmdb')).equals(C.bytes));
  }
});

t.test('deltas that are damaged, reordered, replayed or incomplete lead to the whole file', async (t) => {
  const damaged: readonly World[] = [
    { sent: (bytes) => Buffer.concat([bytes.subarray(1), Buffer.of(0)]) },
    { sent: (bytes) => bytes.subarray(0, -1) },
    { sent: (bytes) => Buffer.alloc(bytes.length) },
    { listed: [{ ...BC, from: A }, AB] },
    { listed: [AB, AB, BC] },
    { listed: [AB] },
  ];
  for (const world of damaged) {
    const { source } = await serve(t, world);
    const { into, result, said } = await pullInto(t, { source: source(), old: A.bytes });
    t.match(result, { how: 'whole' });
    t.match(said[said.length - 2], /^the file is fetched whole: /);
    t.ok(readFileSync(join(into, 'geo.mmdb')).equals(C.bytes));
  }
});

t.test('a wrong whole file and a refusal are errors, and the old file stays', async (t) => {
  const wrong = await serve(t, {
    listed: [],
    whole: (response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      response.end('not the file');
    },
  });
  const other = Buffer.from('other');
  const { into, result } = await pullInto(t, { source: wrong.source(), old: other });
  t.match(result, { message: /^the file has sha256 [0-9a-f]{64} \(12 bytes\), expected/ });
  t.ok(readFileSync(join(into, 'geo.mmdb')).equals(other));
  t.strictSame(readdirSync(into), ['.geo.mmdb.lock', 'geo.mmdb'], 'nothing else is left');
  const refused = await pullInto(t, { source: wrong.source('wrong'), old: other });
  t.match(refused.result, new PullError('the server answered code 401: no valid key'));
  t.ok(existsSync(join(refused.into, 'geo.mmdb')));
});

t.test('a whole file that broke off is continued', async (t) => {
  const ranges: (string | undefined)[] = [];
  const world = await serve(t, {
    whole: (response, range) => {
      ranges.push(range);
      sendWhole(response, range);
    },
  });
  const into = t.testdir();
  writeFileSync(join(into, `geo.mmdb.${C.sha256.slice(0, 16)}.part`), C.bytes.subarray(0, 100));
  writeFileSync(join(into, 'geo.mmdb.0000000000000000.part'), 'of an older file');
  const pulled = await pull({ source: world.source(), dataset: 'geo', into, say: () => undefined });
  t.match(pulled, { how: 'whole', receivedBytes: C.sizeBytes - 100 });
  t.strictSame(ranges, ['bytes=100-']);
  t.strictSame(readdirSync(into), ['.geo.mmdb.lock', 'geo.mmdb']);
  t.ok(readFileSync(join(into, 'geo.mmdb')).equals(C.bytes));
});
