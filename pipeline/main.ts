#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './cli/process-environment.js';
import { runProgram } from './cli/program.js';

const { env, stdin, stdout, stderr } = process;

// A reader may close the pipe early (`| head`): that is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const environment = processEnvironment(env, {
  // This file is compiled to `dist/pipeline/main.js`.
  projectDir: fileURLToPath(new URL('../..', import.meta.url)),
  processor: new URL('./jobs/processor.js', import.meta.url),
  stdin,
  stdout,
  stderr,
});
const exitCode = await runProgram(process.argv.slice(2), environment);

// Dropped Redis connections may wait for seconds: the process ends as soon as its output is written.
stdout.write('', () => process.exit(exitCode));
