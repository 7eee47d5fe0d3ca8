import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { verifyRelease } from '../release/verify-release.js';
import { build, copyOutput, ipatlas, outputFolder, served, unfinished } from './testing/command-line.js';

const EPOCH = '1795046400';
const GOOD = outputFolder(t);
await build(t, { OUTPUT: GOOD, SOURCE_DATE_EPOCH: EPOCH });

const DAMAGES = [
  { file: 'geo.mmdb', settings: {}, found: /geo\.mmdb: has 4 bytes/ },
  { file: 'manifest.json', settings: { SOURCE_DATE_EPOCH: EPOCH }, found: /manifest\.json: is not JSON/ },
] as const;

for (const { file, settings, found } of DAMAGES) {
  t.test(`a current release with a torn ${file} is reported and replaced by a new one`, async (t) => {
    const OUTPUT = copyOutput(t, GOOD);
    const { id } = await served(OUTPUT);
    writeFileSync(join(OUTPUT, 'current', file), 'torn');
    const { code, stdout, stderr } = await ipatlas(t, { OUTPUT, ...settings }, 'build');
    t.equal(code, 0, 'exit code', { stderr });
    const lines = stderr.split('\n').filter((line) => line.includes('the current release is damaged'));
    t.equal(lines.length, 1);
    t.match(lines[0], found);
    const now = await served(OUTPUT);
    t.match(stdout, `Published ${now.id} in `);
    await verifyRelease(now.dir);
    t.equal(now.id === id, 'SOURCE_DATE_EPOCH' in settings, 'a new date, a new release');
    t.same(unfinished(OUTPUT), []);
  });
}
