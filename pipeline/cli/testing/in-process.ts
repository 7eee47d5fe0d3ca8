import { Readable, Writable } from 'node:stream';
import { runStage } from '../../jobs/run-stage.js';
import { STAGES } from '../../jobs/stages.js';
import { environmentOf, PROJECT, type Ended, type Settings } from '../../testing/command-line.js';
import { processEnvironment } from '../process-environment.js';
import { runProgram } from '../program.js';

/**
 * Runs `ipatlas <args>` in this process, with the variables that a separate process would have. Call it for one run at
 * a time, with `typed` as standard input. The jobs of a build run in this thread, which has loaded the pipeline already.
 */
export async function runInProcess(
  settings: Settings,
  args: readonly string[],
  typed: string | readonly Buffer[] = '',
): Promise<Ended> {
  const stdout = new Collector();
  const stderr = new Collector();
  const variables = environmentOf(settings);
  const environment = processEnvironment(variables, {
    projectDir: PROJECT,
    processor: (place) => runStage(STAGES, place),
    stdin: Readable.from(typeof typed === 'string' ? [typed] : typed),
    stdout,
    stderr,
  });
  const before = { ...process.env };
  try {
    // Jobs read the keys of publishers from the variables of their process.
    replaceVariables(variables);
    const code = await runProgram(args, environment);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    replaceVariables(before);
  }
}

/** Replaces the environment variables of this process. */
function replaceVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (!(name in variables)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
}

/** A stream that collects its text. */
class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
