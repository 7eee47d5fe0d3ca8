import { execFile } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { environmentOf } from '../testing/command-line.js';
import { copyFeeds, outputFolder, PROJECT, served } from './testing/command-line.js';

/** The exit code and the last line of standard output of `make build-data`. */
interface Made {
  readonly code: number;
  readonly last: string | undefined;
  readonly stderr: string;
}

const FEEDS = copyFeeds(t);
const OUTPUT = outputFolder(t);
/** Variables by which the `make test` around this test would set those of the make inside. */
const OUTER_MAKE = {
  NODE_OPTIONS: '',
  MAKEFLAGS: '',
  MAKEOVERRIDES: '',
  MAKELEVEL: '',
  ARGS: '',
  STRICT: '',
};

/** Runs `make build-data` on the compiled files of this run: `-o` keeps make from compiling and installing. */
function makeBuild(...args: readonly string[]): Promise<Made> {
  const env = { ...environmentOf({ FEEDS, OUTPUT }), ...OUTER_MAKE };
  const all = ['-o', 'dist/.built', '-o', 'redis', 'build-data', ...args];
  return new Promise((resolve) => {
    execFile('make', all, { cwd: PROJECT, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, last: stdout.trimEnd().split('\n').at(-1), stderr });
    });
  });
}

t.test('make ends with 0 when a release is published', async (t) => {
  const { code, last, stderr } = await makeBuild();
  t.equal(code, 0, stderr);
  t.match(last, (await served(OUTPUT)).dir);
});

t.test(
  'make ends with 0 when inputs were refused, with a last line that says so; not with STRICT=1',
  async (t) => {
    appendFileSync(join(FEEDS, 'own/overrides.csv'), '9.9.9.0/24,CH,,,,,Quad9,,new tonight\n');
    writeFileSync(join(FEEDS, 'own/geofeeds/flexnetworks.csv'), '<html>503</html>\n');
    const { code, last } = await makeBuild();
    t.equal(code, 0);
    t.equal(last, 'INCOMPLETE: 1 file was not used (see above). Exit code 3');
    const strict = await makeBuild('STRICT=1');
    t.equal(strict.code, 2);
    t.match(strict.stderr, /Error 3$/m);
  },
);

t.test('make fails when the build fails', async (t) => {
  const { code, stderr } = await makeBuild('FEEDS=/nowhere');
  t.equal(code, 2);
  t.match(stderr, /invalid FEEDS/);
});
