import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { runSoak, type SoakOptions } from './soak/run-soak.js';

const USAGE = `Usage: make soak [ARGS='…']
  --kills <number>    ends after the night in which this number of kills is reached (1000)
  --seed <number>     another order of faults (1)
  --output <folder>   feeds, releases and the state of the run (output/soak)
  --restart           begins again; without it the run in the folder is continued
`;

const OPTIONS = {
  kills: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  output: { type: 'string', default: 'output/soak' },
  restart: { type: 'boolean', default: false },
} as const;

/** Reads the command line. Ends the process with code 64 if an option is invalid. */
function readOptions(): SoakOptions {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    return {
      kills: count('--kills', values.kills),
      seed: count('--seed', values.seed),
      dir: values.output,
      restart: values.restart,
      main: join(import.meta.dirname, 'main.js'),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(64);
  }
}

function count(option: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new TypeError(`invalid ${option} ${JSON.stringify(text)}: expected a number from 1 to 9999999`);
}

const isSound = await runSoak(readOptions(), (line) => process.stdout.write(`${line}\n`));
process.exitCode = isSound ? 0 : 1;
