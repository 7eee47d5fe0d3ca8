import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { formatResult } from './format-result.js';
import type { FuzzRun } from './fuzz-run.js';
import { measureInput, superviseRun } from './supervise.js';
import { PLANTED } from './testing/planted.fuzz.js';

const LIMITS = { slowMs: 1_000, grownMb: 150, totalMb: 1_000, stuckMs: 6_000, heapMb: 200 };

function runOf(outputDir: string, more: Partial<FuzzRun> = {}): FuzzRun {
  const module = new URL('testing/planted.fuzz.js', import.meta.url).href;
  return { target: 'a/planted', module, seed: 7, inputs: 40, limits: LIMITS, outputDir, ...more };
}

t.test(
  'a planted crash, slow input, hang and memory growth are found, saved, and the run goes on',
  async (t) => {
    const dir = t.testdir({});
    const result = await superviseRun(runOf(dir));
    t.equal(result.inputs, 40, 'all inputs were tried');
    t.ok(result.peakMb > 0);
    t.same(
      result.failures.map(({ kind, input }) => [kind, PLANTED[input]]),
      [
        ['crash', 'crash'],
        ['hang', 'slow'],
        ['hang', 'hang'],
        ['memory', 'growth'],
        ['memory', 'heap'],
      ],
    );
    t.match(result.failures[0]!.found, /TypeError: a planted crash\n +at .*planted/);
    for (const { input, path } of result.failures) {
      t.equal(basename(path), `a-planted-7-${input}.bin`);
      t.equal(readFileSync(path, 'utf8'), `${PLANTED[input]!}, planted`);
    }
    const [line, crash] = formatResult(result, 7).split('\n');
    t.match(line, /^a\/planted +40 +1 +2 +2 +\d+ +\d+$/);
    t.match(crash, "make fuzz ARGS='--seed 7 --only a/planted --input 1'");
  },
);

t.test('growth over many inputs ends the process, is reported, and the run goes on', async (t) => {
  const module = new URL('testing/leaking.fuzz.js', import.meta.url).href;
  const limits = { ...LIMITS, totalMb: 100 };
  const result = await superviseRun(runOf(t.testdir({}), { module, limits, inputs: 200 }));
  t.equal(result.inputs, 200);
  t.same([...new Set(result.failures.map(({ kind }) => kind))], ['memory']);
  t.match(result.failures[0]!.found, /MB by all/);
});

t.test('an input is measured alone', async (t) => {
  const run = runOf(t.testdir({}));
  t.match(await measureInput(run, PLANTED.indexOf('crash')), { crash: /a planted crash/ });
  t.equal((await measureInput(run, PLANTED.indexOf('declared')))!.crash, undefined);
});

t.test('the memory of the supervising process does not hide growth', async (t) => {
  const ballast = Buffer.alloc(350_000_000, 1);
  const cost = await measureInput(runOf(t.testdir({})), PLANTED.indexOf('growth'));
  t.ok(cost!.grownMb > LIMITS.grownMb, `${cost!.grownMb} MB`);
  t.equal(ballast[0], 1, 'still in memory');
});

t.test('a target that cannot be opened is an error', async (t) => {
  const module = new URL('testing/missing.fuzz.js', import.meta.url).href;
  await t.rejects(
    superviseRun(runOf(t.testdir({}), { module })),
    /ended before its first input: .*missing\.fuzz/s,
  );
});
