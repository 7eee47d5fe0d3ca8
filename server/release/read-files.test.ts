import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readFiles, type WantedFile } from './read-files.js';
import { ReleaseRefused } from './snapshot.js';

const wanted = (name: string, text: string, keep = true): WantedFile => ({
  name,
  sizeBytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
  keep,
});

t.test('files are checked, and those to keep are loaded', async (t) => {
  const dir = t.testdir({ 'a.mmdb': 'first', sources: { 'b.mmdb': 'second' } });
  const files = await readFiles({
    dir,
    files: [wanted('a.mmdb', 'first'), wanted('sources/b.mmdb', 'second', false)],
  });
  t.equal(files.get('a.mmdb')?.bytes?.toString(), 'first');
  t.equal(files.get('sources/b.mmdb')?.bytes, undefined);
  t.equal(files.size, 2);
});

t.test('a missing or different file is a refusal', async (t) => {
  const dir = t.testdir({ 'a.mmdb': 'first' });
  const refusalOf = async (file: WantedFile): Promise<string> => {
    const error: unknown = await readFiles({ dir, files: [file] }).catch((found: unknown) => found);
    t.ok(error instanceof ReleaseRefused, file.name);
    return String(error);
  };
  t.match(await refusalOf(wanted('b.mmdb', 'x')), /b\.mmdb: does not exist/);
  t.match(await refusalOf(wanted('a.mmdb/b.mmdb', 'x')), /does not exist/, 'a file in place of a folder');
  t.match(await refusalOf(wanted('a.mmdb', 'fifth')), /a\.mmdb: has sha256/);
});

t.test('a file that cannot be read is an error, not a refusal', async (t) => {
  const dir = t.testdir();
  symlinkSync('loop', join(dir, 'loop'));
  await t.rejects(readFiles({ dir, files: [wanted('loop', 'x')] }), { code: 'ELOOP' });
});
