import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';

/** The members of `t` that belong to the subtest of a file while that file runs. The others stay with the root. */
const SHARED_NAMES = [
  ...['test', 'skip', 'todo', 'only', 'before', 'beforeEach', 'after', 'afterEach', 'teardown'],
  ...['ok', 'notOk', 'equal', 'not', 'same', 'notSame', 'strictSame', 'match', 'notMatch', 'has', 'type'],
  ...['throws', 'doesNotThrow', 'rejects', 'resolves', 'resolveMatch', 'pass', 'fail', 'error'],
  ...['comment', 'plan', 'end', 'bailout', 'setTimeout', 'testdir', 'fixture', 'jobs', 'context'],
] as const;

/**
 * Runs test files one after the other in this process. Each file becomes a subtest with the file's name, and the `t`
 * that the file imports acts as that subtest. A file that throws on import fails, and so does a file without tests.
 * Appends the CPU seconds of each file to `figures`, as `<seconds> <name>`.
 */
export async function runTogether(files: readonly TestFile[], figures?: URL): Promise<void> {
  // Stacks name the lines of the sources. In contrast to node's option, threads do not inherit this.
  process.setSourceMapsEnabled(true);
  const test = memberOf(t, 'test') as typeof t.test;
  let current: Test | undefined;
  for (const name of SHARED_NAMES) {
    const own = memberOf(t, name);
    Object.defineProperty(t, name, {
      configurable: true,
      get: () => (current === undefined ? own : memberOf(current, name)),
      set: (value: unknown) => void Object.assign(current ?? {}, { [name]: value }),
    });
  }
  for (const { name, url } of files) {
    const before = cpuSeconds();
    const results = await test(name, async (subtest) => {
      current = subtest;
      await import(url);
    });
    current = undefined;
    if (results !== null && results.count === 0) t.fail(`${name} has no tests`);
    if (figures !== undefined) appendFileSync(figures, `${(cpuSeconds() - before).toFixed(2)} ${name}\n`);
  }
}

/** Returns a member of a test; methods stay bound to the test. */
function memberOf(test: Test, name: (typeof SHARED_NAMES)[number]): unknown {
  const member: unknown = Reflect.get(test, name);
  return typeof member === 'function' ? (member.bind(test) as unknown) : member;
}

/** A compiled test file: its path in the project, and its URL. */
export interface TestFile {
  readonly name: string;
  readonly url: string;
}

/** Returns the CPU seconds of this process and, on Linux (proc(5)), of its ended children. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!existsSync(STAT)) return own;
  // The name of the program, in brackets, may hold spaces. utime is field 14, cutime and cstime are 16 and 17.
  const fields = readFileSync(STAT, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const STAT = '/proc/self/stat';
const TICKS_PER_SECOND = 100;
