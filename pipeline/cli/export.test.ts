import { execFile } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import t from 'tap';
import { writeWhole } from '../export/block-writer.js';
import { FORMATS, type FormatName } from '../export/formats.js';
import { writeDataset, writeDatasets } from '../export/testing/small-datasets.js';
import { ASN_SCHEMA } from '../routing/asn-records.js';
import { exportProgress } from './export-progress.js';
import { ipatlas, ipatlasProcess, PROJECT } from './testing/command-line.js';

const dir = t.testdir();
writeDatasets(dir);
const geo = join(dir, 'geo.mmdb');

t.test('export writes the networks that pass all filters, with the terms of all datasets used', async (t) => {
  const out = join(dir, 'cn.csv');
  const args = ['export', geo, '--format', 'csv', '--where', 'country=CN', 'as=4134', '-o', out];
  const { code, stdout } = await ipatlas(t, {}, ...args);
  t.equal(code, 0);
  t.match(stdout, /cn\.csv: 1 row, [\d.]+ kB\nTerms: may be redistributed with .* same licence\nTerms: may/);
  const text = readFileSync(out, 'utf8');
  t.match(text, 'Data of publisher 1');
  t.match(text, 'Data of publisher 2');
  t.match(text, '\n1.0.0.0/25,CN,');
  const json = await ipatlas(t, {}, '--json', ...args);
  t.match(JSON.parse(json.stdout), { files: [{ path: out, rows: 1 }] });
});

t.test('export writes to standard output without a message', async (t) => {
  const { code, stdout } = await ipatlasProcess(
    t,
    {},
    ...['export', join(dir, 'asn.mmdb'), '--format', 'csv', '--where', 'as=AS13335', '-o', '-'],
  );
  t.equal(code, 0);
  t.match(stdout, /^# asn\.mmdb.*\n1\.0\.1\.0\/24,13335,"Cloudflare, Inc\.",,,,\n$/s);
});

t.test('an invalid command line is refused and writes nothing', async (t) => {
  const out = join(dir, 'none.csv');
  const refused = async (code: number, message: RegExp, ...args: readonly string[]) => {
    const ended = await ipatlas(t, {}, 'export', ...args, '-o', out);
    t.equal(ended.code, code, args.join(' '));
    t.match(ended.stderr, message);
  };
  await refused(64, /Allowed choices are csv, /, geo, '--format', 'xml');
  await refused(64, /--format <format>' not specified/, geo);
  await refused(64, /invalid filter "planet=Mars"/, geo, '--format', 'csv', '--where', 'planet=Mars');
  await refused(64, /invalid dataset "\.\.\/geo"/, '../geo', '--format', 'csv');
  await refused(64, /--release x needs the name of a dataset/, geo, '--format', 'csv', '--release', 'x');
  await refused(1, /file not found/, join(dir, 'x.mmdb'), '--format', 'csv');
  t.notOk(readdirSync(dir).includes('none.csv'));
  for (const format of ['geolite2-csv', 'xdb']) {
    const ended = await ipatlas(t, {}, 'export', geo, '--format', format, '-o', '-');
    t.equal(ended.code, 64);
    t.match(ended.stderr, `--format ${format} writes a folder`);
  }
});

/** Runs a script of bash in which `ipatlas` is the command line. */
async function bash(script: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const main = join(PROJECT, 'dist/pipeline/main.js');
  return promisify(execFile)('bash', ['-c', `ipatlas() { node '${main}' "$@"; }; cd '${dir}'; ${script}`]);
}

t.test('a reader that closes the pipe early ends the export without an error', async (t) => {
  // More than a pipe holds, so that the export still writes when the reader has ended.
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [
      `1.${i >> 8}.${i & 255}.0/24`,
      { autonomous_system_number: i + 1 },
    ]),
  );
  writeDataset(dir, { name: 'many.mmdb', type: 'ipatlas-ASN', schema: ASN_SCHEMA, networks: many });
  const ended = 'echo "${PIPESTATUS[0]}"';
  for (const format of ['csv', 'nft', 'parquet']) {
    const { stdout, stderr } = await bash(
      `ipatlas export many.mmdb --format ${format} -o - | { head -c 4 > first; }; ${ended}`,
    );
    t.equal(stdout, '0\n', format);
    t.equal(stderr, '');
  }
});

t.test(
  'a full disk ends the export with a message that names the output',
  { skip: !existsSync('/dev/full') },
  async (t) => {
    const { stdout, stderr } = await bash('ipatlas export geo.mmdb --format csv -o - > /dev/full; echo $?');
    t.equal(stdout, '1\n');
    t.match(stderr, 'no space left on the disk of standard output: free some space (ENOSPC, write)');
    t.notMatch(stderr, /\n +at /);
    const full = openSync('/dev/full', 'w');
    t.teardown(() => {
      closeSync(full);
    });
    const path = join(dir, 'full.csv');
    await t.rejects(
      writeWhole(path, () => void writeSync(full, 'x')),
      { code: 'ENOSPC', path },
    );
    t.notOk(readdirSync(dir).some((name) => name.includes('full.csv')));
  },
);

t.test('a terminal shows the share that was read, on one line that is removed at the end', (t) => {
  let text = '';
  const progress = exportProgress('geo\n.mmdb', {
    isTerminal: true,
    progress: new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    }),
  });
  progress.visited(0.1);
  t.equal(text, '', 'not at once');
  const until = performance.now() + 300;
  while (performance.now() < until);
  progress.visited(0.429);
  t.match(text, /^\r\x1b\[Kgeo.*\.mmdb {2}42 %$/);
  t.notMatch(text, '\n');
  progress.end();
  t.ok(text.endsWith('\r\x1b[K'));
  t.end();
});

t.test('every format has the terms of its dataset', async (t) => {
  for (const format of Object.keys(FORMATS) as FormatName[]) {
    const out = join(dir, `terms-${format}`);
    const { code } = await ipatlas(t, {}, 'export', geo, '--format', format, '-o', out);
    t.equal(code, 0, format);
    const files = statSync(out).isDirectory() ? [join(out, 'LICENSE.txt')] : [out];
    for (const file of files) t.match(readFileSync(file, 'utf8'), 'Attribution: Data of publisher 1', format);
  }
});
