import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ipatlas, start, type Ended } from '../../pipeline/testing/command-line.js';
import { newFaultProxyForTest } from '../../pipeline/testing/fault-proxy.js';
import { CHANGE_DOWNLOADS, DOWNLOADS } from '../ledger/meters/download-meter.js';
import { startChangingProxy } from '../testing/changing-proxy.js';
import { newNights } from '../testing/nights.js';
import { runServer } from '../testing/running-server.js';
import { startStallingProxy } from '../testing/stalling-proxy.js';

/** Three real builds, the server of the last one, and `ipatlas pull` as a program. */
const nights = newNights(t);
const A = (await nights.publish('2026-11-19')).geo;
const server = await runServer(t, { outputDir: nights.outputDir, withRelease: false });
const B = (await nights.publish('2026-11-20', '9.9.9.0/24,FR,,,,,Quad9,,\n')).geo;
const C = (await nights.publish('2026-11-21', '9.9.8.0/24,DE,,,,,Quad9,,\n')).geo;
const CURRENT = createHash('sha256').update(C).digest('hex');
/** What a pull has of the current file is kept under this name. */
const UNFINISHED = `geo.mmdb.${CURRENT.slice(0, 16)}.part`;
for (let served = ''; served !== CURRENT;) {
  const { body } = await server.get('/api/datasets/mmdb/info');
  served = (body as { data: { sha256: string } }).data.sha256;
}
const home = mkdtempSync(join(tmpdir(), 'ipatlas-pulls-'));
t.teardown(() => {
  rmSync(home, { recursive: true, force: true });
});
let folders = 0;

interface Asked {
  readonly url?: string;
  /** The file that the customer has. */
  readonly old?: Buffer;
  /** A key of a new enterprise account by default. */
  readonly key?: string;
  readonly dataset?: string;
}

/** A folder of a customer. `run` is the command line of the pull into it. */
async function customer({ url = server.url, old, key, dataset = 'geo' }: Asked) {
  const into = join(home, `${++folders}`);
  mkdirSync(into);
  const keyFile = join(into, 'key.txt');
  writeFileSync(keyFile, `${key ?? (await server.key('enterprise'))}\n`);
  if (old) writeFileSync(join(into, 'geo.mmdb'), old);
  const run = ['pull', url, '--key-file', keyFile, '--into', into, '--dataset', dataset];
  return { into, run, file: () => readFileSync(join(into, 'geo.mmdb')) };
}

async function pull(asked: Asked): Promise<Ended & { readonly file: () => Buffer; readonly into: string }> {
  const { run, ...rest } = await customer(asked);
  return { ...rest, ...(await ipatlas(t, {}, ...run)) };
}

t.test(
  'a customer gets the file whole, then the deltas of each night, and the bytes are equal',
  async (t) => {
    const first = await pull({});
    t.match(first, { code: 0, stdout: `whole: ${CURRENT}, ${C.length} bytes received\n` });
    t.ok(first.file().equals(C));
    for (const [old, deltas] of [
      [A, 2],
      [B, 1],
    ] as const) {
      const { code, stdout, stderr, file } = await pull({ old });
      t.equal(code, 0);
      t.match(stdout, new RegExp(`^rebuilt: ${CURRENT}, \\d+ bytes received\n$`));
      t.match(stderr, new RegExp(`geo\\.mmdb from ${deltas} deltas?\n`));
      t.ok(Number(/(\d+) bytes/.exec(stdout)![1]) < C.length / 8, stdout);
      t.ok(file().equals(C));
    }
    t.match(await pull({ old: C }), { code: 0, stdout: `unchanged: ${CURRENT}\n` });
    t.ok((await pull({ old: Buffer.from('some other file') })).file().equals(C));
  },
);

t.test('a delta that is damaged, cut or missing on the way leads to the whole file', async (t) => {
  const proxy = await newFaultProxyForTest(t, Number(new URL(server.url).port));
  proxy.hits = (_method, path) => path.includes('/changes/');
  for (const fault of ['wrong', 'truncated', 'gone', '503'] as const) {
    proxy.fault = fault;
    const { code, stdout, stderr, file } = await pull({ url: `http://127.0.0.1:${proxy.port}`, old: A });
    t.equal(code, 0, fault);
    t.match(stdout, /^whole: /, fault);
    t.match(stderr, /^the file is fetched whole: /m, fault);
    t.ok(file().equals(C), fault);
  }
  t.equal(proxy.faults, 4);
});

t.test(
  'deltas that are listed in another order, twice, or only in part lead to the whole file',
  async (t) => {
    const proxy = await startChangingProxy(t, server.url);
    const lists: Readonly<Record<string, (deltas: readonly unknown[]) => unknown[]>> = {
      reordered: ([ab, bc]) => [bc, ab],
      replayed: ([ab, bc]) => [ab, ab, bc],
      'without the first': ([, bc]) => [bc],
      'without the last': ([ab]) => [ab],
    };
    for (const [how, list] of Object.entries(lists)) {
      proxy.change = ({ body }) => {
        const { data } = (body ?? {}) as { data?: { deltas?: unknown[] } };
        if (data?.deltas) data.deltas = list(data.deltas);
      };
      const { code, stdout, file } = await pull({ url: proxy.url, old: A });
      t.equal(code, 0, how);
      t.match(stdout, /^whole: /, how);
      t.ok(file().equals(C), how);
    }
  },
);

t.test('a whole file that is damaged on the way is an error, and the old file stays', async (t) => {
  const proxy = await newFaultProxyForTest(t, Number(new URL(server.url).port));
  proxy.hits = (_method, path) => path === '/api/datasets/mmdb';
  const { into, run, file } = await customer({
    url: `http://127.0.0.1:${proxy.port}`,
    old: Buffer.from('an old file'),
  });
  for (const [fault, message] of [
    ['wrong', /: the file has sha256 [0-9a-f]{64} \(\d+ bytes\), expected/],
    ['truncated', /: the connection broke off after \d+ bytes/],
  ] as const) {
    proxy.fault = fault;
    const { code, stderr } = await ipatlas(t, {}, ...run);
    t.equal(code, 1, fault);
    t.match(stderr, message);
    t.equal(file().toString(), 'an old file');
  }
  proxy.fault = undefined;
  // A client that has read the end of the connection may drop bytes that arrived just before it.
  const kept = statSync(join(into, UNFINISHED), { throwIfNoEntry: false })?.size ?? 0;
  t.ok(kept <= C.length >> 1, `${kept} bytes kept`);
  const { code, stdout } = await ipatlas(t, {}, ...run);
  t.equal(code, 0, into);
  t.equal(stdout, `whole: ${CURRENT}, ${C.length - kept} bytes received\n`);
  t.ok(file().equals(C));
});

t.test('a download that was interrupted is continued', async (t) => {
  const { into, run, file } = await customer({ old: Buffer.from('an old file') });
  writeFileSync(join(into, UNFINISHED), C.subarray(0, 1000));
  const { code, stdout } = await ipatlas(t, {}, ...run);
  t.equal(code, 0);
  t.equal(stdout, `whole: ${CURRENT}, ${C.length - 1000} bytes received\n`);
  t.ok(file().equals(C));
});

t.test('refusals, a full disk and an unreachable server exit with 1, and the old file stays', async (t) => {
  const spent = await server.key('enterprise');
  const { body } = await server.get('/api/datasets/mmdb/changes', { Authorization: `Bearer ${spent}` });
  const [{ uri }] = (body as { data: { deltas: [{ uri: string }] } }).data.deltas;
  const spend = async (path: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++)
      await (await fetch(server.url + path, { headers: { Authorization: `Bearer ${spent}` } })).arrayBuffer();
  };
  await spend(uri, CHANGE_DOWNLOADS.perHour);
  await spend('/api/datasets/mmdb', DOWNLOADS.perHour);
  const cases: readonly (readonly [Asked, RegExp])[] = [
    [{ key: 'ipa_unknown' }, /^ipatlas: the server answered code 401: /m],
    [{ key: await server.key('pro') }, /^ipatlas: the server answered code 403: /m],
    [{ dataset: 'isp' }, /^ipatlas: the server answered code 404: /m],
    [{ key: spent }, /^ipatlas: no file: download limit of 5 exceeded/m],
    [{ url: 'http://127.0.0.1:1' }, /^ipatlas: http:\/\/127\.0\.0\.1:1 does not answer/m],
  ];
  for (const [asked, message] of cases) {
    const { code, stderr, file } = await pull({ ...asked, old: A });
    t.equal(code, 1, message.source);
    t.match(stderr, message);
    t.ok(file().equals(A));
  }
  t.match(await pull({ url: 'ftp://x', old: A }), { code: 64, stderr: /invalid URL/ });
  for (const [old, work] of [
    [A, 'geo.mmdb.new'],
    [Buffer.from('old'), UNFINISHED],
  ] as const) {
    const { into, run, file } = await customer({ old });
    symlinkSync('/dev/full', join(into, work));
    const { code, stderr } = await ipatlas(t, {}, ...run);
    t.equal(code, 1);
    t.match(stderr, `ipatlas: no space left on the disk of ${into}: free some space (ENOSPC`);
    t.ok(file().equals(old));
  }
});

t.test('two pulls at once into one folder both succeed', async (t) => {
  for (const old of [A, Buffer.from('old')]) {
    const { run, file } = await customer({ old });
    const ended = await Promise.all([ipatlas(t, {}, ...run), ipatlas(t, {}, ...run)]);
    t.strictSame(
      ended.map(({ code }) => code),
      [0, 0],
    );
    const waited = ended.filter(({ stdout }) => stdout.startsWith('unchanged: '));
    t.equal(waited.length, 1, 'one of them waited and found the file of the other');
    t.ok(file().equals(C));
  }
});

t.test('a pull that is killed leaves the old file whole, and the next one is right', async (t) => {
  for (const old of [A, Buffer.from('old')]) {
    const proxy = await startStallingProxy(t, server.url);
    const { into, run, file } = await customer({ url: proxy.url, old });
    const { child, ended } = start(t, {}, ...run);
    await proxy.stalled;
    child.kill('SIGKILL');
    t.equal((await ended).code, 'SIGKILL');
    t.ok(file().equals(old));
    const next = await ipatlas(t, {}, ...run.with(1, server.url));
    t.equal(next.code, 0, into);
    t.ok(file().equals(C));
  }
});
