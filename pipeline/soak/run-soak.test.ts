import { join } from 'node:path';
import t from 'tap';
import { outputFolder, PROJECT } from '../cli/testing/command-line.js';
import { runSoak } from './run-soak.js';
import { readState } from './soak-state.js';

/** The first night of this seed has one attempt: the store goes away, and the build is killed. */
const SEED = 20998;

t.test(
  'a night with a killed build ends with a whole release, and a second run continues after it',
  async (t) => {
    const dir = outputFolder(t);
    const options = {
      kills: 1,
      seed: SEED,
      dir,
      restart: false,
      main: join(PROJECT, 'dist/pipeline/main.js'),
    };
    const lines: string[] = [];
    t.equal(await runSoak(options, (line) => lines.push(line)), true, lines.join('\n'));
    t.match(lines.at(-1), 'no release was lost or torn');
    const { nights, faults, problems } = readState(dir, SEED);
    t.same({ nights, problems }, { nights: 1, problems: [] });
    t.match(faults, { 'kill build': Number, 'store gone': Number });
    const again: string[] = [];
    await runSoak(options, (line) => again.push(line));
    t.match(again.at(-3), '1 nights; faults: ');
    t.throws(() => readState(dir, SEED + 1), /holds a run with --seed 20998/);
  },
);
