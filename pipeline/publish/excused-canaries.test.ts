import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ListClaim } from '../lists/list-claim.js';
import { exampleFile } from '../release/testing/example-release.js';
import { evidenceDataset } from '../isp/evidence-dataset.js';
import { fileOf, listOf, inputsOf } from '../isp/testing/isp-inputs.js';
import type { LocatedDataset } from '../datasets/dataset-folder.js';
import { withExcusedCanaries } from './excused-canaries.js';

const WRONG = { ip: '1.1.1.1', passed: false, found: 'a proxy', expected: 'no proxy' };
const ABROAD = { ip: '8.8.8.8', passed: false, found: 'CN', expected: 'US' };
const EXCUSED = { ...WRONG, passed: true, excuse: 'as own/deny-list.csv says' };

/** Returns the canaries of a file with two failures, given these lists. */
async function canariesBeside(
  t: Test,
  said: Readonly<Record<string, ListClaim>>,
  sources: readonly string[],
) {
  const dir = t.testdir({});
  const lists = Object.entries(said).map(([id, claim]) => listOf(id, { '1.1.1.0/24': claim }));
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'evidence.mmdb'), fileOf(evidenceDataset(inputsOf({ lists }))));
  const good = { passed: true, found: 'good' };
  const fileCalled = (name: string, canaries: (typeof WRONG)[]) => ({
    file: { ...exampleFile('x'), name, sources: [...sources] },
    examination: { tree: good, schema: good, canaries },
  });
  const files = [fileCalled('isp.mmdb', [WRONG, ABROAD]), fileCalled('evidence.mmdb', [])];
  const compiled: LocatedDataset = {
    dataset: 'isp',
    key: 'key',
    dir,
    inputs: [],
    files,
    indexes: [],
    counters: {},
  };
  return (await withExcusedCanaries(compiled))[0]!.examination.canaries;
}

t.test('a canary in the operator’s deny-list is excused; other wrong answers are not', async (t) => {
  const denied = { 'operator-lists': { type: 'VPN', isOwn: true } };
  t.same(await canariesBeside(t, denied, ['operator-lists', 'tor']), [EXCUSED, ABROAD]);
});

t.test(
  'excuses nothing if only a list names the address, if the operator allows it, or in files without operator rows',
  async (t) => {
    const cases: readonly [Readonly<Record<string, ListClaim>>, string[]][] = [
      [{ x4bnet: { type: 'VPN' } }, ['operator-lists', 'x4bnet']],
      [{ x4bnet: { type: 'VPN' }, 'operator-lists': { allow: ['TOR'] } }, ['operator-lists', 'x4bnet']],
      [{ 'operator-lists': { type: 'VPN', isOwn: true } }, ['x4bnet']],
      [{}, ['operator-lists']],
    ];
    for (const [said, sources] of cases) t.same(await canariesBeside(t, said, sources), [WRONG, ABROAD]);
  },
);
