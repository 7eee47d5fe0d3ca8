import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { addLogMetrics } from './access-log.js';

const LOG = new URL('./access-log.js', import.meta.url).href;

/** A process that logs numbered lines: `burst(first, count)` writes them without a pause. */
const PREFACE = `
  import { once } from 'node:events';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { openLog } = await import(${JSON.stringify(LOG)});
  const { log, dropped, flush } = openLog('info');
  const burst = (first, count) => {
    for (let n = first; n < first + count; n++) log.info({ n }, 'a line of the usual length, '.repeat(4));
  };
  const ask = async (question) => {
    process.send({ question, dropped: dropped(), rss: process.memoryUsage().rss });
    await once(process, 'message');
  };
`;

interface Asked {
  readonly question: string;
  readonly dropped: number;
  readonly rss: number;
}

interface Line {
  readonly level: number;
  readonly pid: number;
  readonly n?: number;
  readonly dropped?: number;
}

/** Starts a process that runs a script after the preface. */
function start(t: Test, script: string, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const stdio: StdioOptions = ['ignore', stdout, 'pipe', 'ipc'];
  const child = spawn(process.execPath, ['--input-type=module', '-e', PREFACE + script], { stdio });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Waits for the question of a process. */
async function asked(child: ChildProcess): Promise<Asked> {
  const [message] = (await once(child, 'message')) as [Asked];
  return message;
}

const linesIn = (output: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const numbersIn = (lines: readonly Line[]): number[] => lines.flatMap(({ n }) => n ?? []);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const FULL_DISK = '/dev/full';
const skip = existsSync(FULL_DISK) ? false : 'this system has no full disk to try';

t.test('a full disk does not stop the server, and is reported once', { skip }, async (t) => {
  const disk = openSync(FULL_DISK, 'w');
  const script =
    'for (let i = 0; i < 20; i++) { burst(i * 500, 500); await sleep(5); } flush(); process.exit(7);';
  const child = start(t, script, disk);
  closeSync(disk);
  const [said, ended] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  t.same(ended, [7, null], 'it went on to its end');
  t.equal(said.match(/cannot write the log: .*ENOSPC/g)?.length, 1, said);
  t.match(said, /^lost 10000 log lines: stdout did not accept them$/m);
});

t.test('a file gets every line of a burst, in order', async (t) => {
  const path = join(t.testdir(), 'log');
  const file = openSync(path, 'w');
  const child = start(t, 'burst(0, 20_000); process.exit();', file);
  closeSync(file);
  const [said, ended] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  t.equal(said, '');
  t.same(ended, [0, null]);
  t.same(numbersIn(linesIn(readFileSync(path, 'utf8'))), upTo(20_000));
});

t.test(
  'a pipe that is read late gets every line of a burst, and the process does not wait for it',
  async (t) => {
    const child = start(t, 'burst(0, 20_000); await ask("read"); process.exit();');
    t.match(await asked(child), { question: 'read', dropped: 0 });
    child.send('reading');
    const [output, said] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    t.same(numbersIn(linesIn(output)), upTo(20_000));
    t.equal(said, '');
  },
);

t.test('a pipe that is not read drops lines in bounded memory, counts them and reports them', async (t) => {
  const script = `
    await ask("before");
    for (let i = 0; i < 400; i++) { burst(i * 1000, 1000); await sleep(0); }
    await ask("read");
    await ask("go on");
    burst(400_000, 1);
    flush();
    await ask("end");
    process.exit();
  `;
  const child = start(t, script);
  const said = text(child.stderr!);
  const before = await asked(child);
  child.send('burst');
  const full = await asked(child);
  t.ok(full.dropped > 100_000, `${full.dropped} dropped`);
  const grownMiB = (full.rss - before.rss) / 2 ** 20;
  t.ok(grownMiB < 60, `of 68 MiB of lines ${grownMiB} MiB are in memory`);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString('latin1')));
  child.send('reading');
  await asked(child);
  while (!output.includes('"dropped"')) await once(child.stdout!, 'data');
  child.send('burst');
  const { dropped } = await asked(child);
  child.send('end');
  await once(child, 'close');
  const lines = linesIn(output);
  const notice = lines.findIndex(({ level }) => level === 40);
  const [first, later] = [numbersIn(lines.slice(0, notice)), numbersIn(lines.slice(notice))];
  t.equal(lines[notice]?.dropped, dropped);
  t.equal(first.length + dropped + later.length, 400_001, 'each line is written or counted');
  t.same(first, upTo(first.length), 'the lines before the gap, in order');
  t.same(later, upTo(400_001).slice(-later.length), 'and those after it');
  t.equal(await said, 'log lines are dropped, because stdout does not accept them in time\n');
});

t.test(
  'the end waits for a pipe that is not read for a limited time, and says how many lines are lost',
  async (t) => {
    const child = start(t, 'burst(0, 2000); flush(); await ask("read"); process.exit(5);');
    const [said, ended] = [text(child.stderr!), once(child, 'exit')];
    const { dropped } = await asked(child);
    child.send('reading');
    const written = numbersIn(linesIn(await text(child.stdout!)));
    t.same(written, upTo(2000 - dropped));
    t.equal(await said, `lost ${dropped} log lines: stdout did not accept them\n`);
    t.same(await ended, [5, null]);
  },
);

t.test('a pipe without a reader does not stop the server', async (t) => {
  const child = start(t, 'await ask("close"); burst(0, 2000); flush(); await ask("alive"); process.exit(3);');
  await asked(child);
  child.stdout!.destroy();
  await once(child.stdout!, 'close');
  child.send('closed');
  const said = text(child.stderr!);
  t.match(await asked(child), { question: 'alive', dropped: 2000 });
  child.send('end');
  t.match(await said, /^cannot write the log: .*EPIPE.*\nlost 2000 log lines/);
});

t.test('lines of two processes do not mix in a pipe that is read late', async (t) => {
  const script = 'for (let i = 0; i < 40; i++) { burst(i * 250, 250); await sleep(0); } process.exit();';
  const node = `"$NODE" --input-type=module -e "$SCRIPT"`;
  const child = spawn('sh', ['-c', `(${node} & ${node} & wait) | (sleep 1; cat)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE: process.execPath, SCRIPT: PREFACE + script },
  });
  const lines = linesIn(await text(child.stdout));
  const pids = [...new Set(lines.map(({ pid }) => pid))];
  t.equal(pids.length, 2);
  for (const pid of pids) t.same(numbersIn(lines.filter((line) => line.pid === pid)), upTo(10_000));
});

t.test('a log line has no characters that a terminal interprets', async (t) => {
  const hostile = 'a\\u009b2J\\u007f\\u202e\\u2028\\n\\u001bb\\u00fc';
  const child = start(t, `log.info("${hostile}"); log.info("\\u007f"); process.exit();`);
  const output = await text(child.stdout!);
  t.match(output, String.raw`"msg":"a\u009b2J\u007f\u202e\u2028\n\u001bbü"}`);
  t.match(output, String.raw`"msg":"\u007f"}`);
  t.notMatch(output, /(?!\n)\p{Cc}|\p{Cf}|\p{Zl}/u);
});

t.test('the dropped lines are a metric', async (t) => {
  const registry = new Registry();
  let dropped = 0;
  addLogMetrics(registry, { dropped: () => dropped });
  for (dropped of [0, 7, 9])
    t.match(await registry.metrics(), new RegExp(`^ipatlas_log_lines_dropped_total ${dropped}$`, 'm'));
});
