import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { describeSystemError, makeFolder } from './system-error.js';

const WRITES_TO = '/output';

/** Returns the description of the error that a function throws. */
function described(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    return describeSystemError(error, WRITES_TO);
  }
  return 'no error';
}

/** Mounts a tmpfs and runs a function in it; skips where mounting is not permitted. */
function inTmpfs(t: Test, options: string, run: (dir: string) => void): void {
  const dir = t.testdir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    t.pass('skipped: a tmpfs cannot be mounted here', { skip: true });
    return;
  }
  try {
    run(dir);
  } finally {
    execFileSync('umount', [dir]);
  }
}

t.test('a full disk is described with the folder, because the error has no path', (t) => {
  inTmpfs(t, 'size=64k', (dir) => {
    const text = described(() => {
      writeFileSync(join(dir, 'file'), Buffer.alloc(1 << 20));
    });
    t.equal(text, 'no space left on the disk of /output: free some space (ENOSPC, write)');
  });
  t.end();
});

t.test('a read-only disk is described with its path', (t) => {
  inTmpfs(t, 'ro', (dir) => {
    const path = join(dir, 'a/b');
    const text = described(() => {
      makeFolder(path);
    });
    t.match(text, `${join(dir, 'a')} is on a read-only file system: `);
    t.match(text, '(EROFS, mkdir)');
  });
  t.end();
});

t.test('makeFolder creates a folder with its parents and accepts an existing one', (t) => {
  const dir = join(t.testdir(), 'a/b/c');
  makeFolder(dir);
  makeFolder(dir);
  t.ok(existsSync(dir));
  t.end();
});

t.test('a file in place of a folder is described', (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const text = described(() => {
    makeFolder(path);
  });
  t.equal(text, `${path} exists already and is not a folder (EEXIST, mkdir)`);
  t.end();
});

t.test('a missing permission is described', { skip: process.getuid?.() === 0 && 'root may write' }, (t) => {
  const dir = join(t.testdir(), 'closed');
  mkdirSync(dir);
  chmodSync(dir, 0o500);
  const text = described(() => {
    makeFolder(join(dir, 'x'));
  });
  t.match(text, `no permission for ${join(dir, 'x')}: `);
  t.end();
});

t.test('other errors are not described', (t) => {
  t.equal(describeSystemError(new Error('no'), WRITES_TO), undefined);
  t.equal(
    described(() => void JSON.parse('{')),
    undefined,
  );
  t.end();
});
