import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { writeDatasets } from '../export/testing/small-datasets.js';
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
});

t.test('a reader that closes the pipe early ends the export without an error', async (t) => {
  const script = 'node "$0" export "$1" --format csv -o - | head -c 1; echo "${PIPESTATUS[0]}"';
  const args = ['-c', script, join(PROJECT, 'dist/pipeline/main.js'), join(dir, 'asn.mmdb')];
  const { stdout, stderr } = await promisify(execFile)('bash', args);
  t.match(stdout, /^#(0|141)\n$/);
  t.equal(stderr, '');
});
