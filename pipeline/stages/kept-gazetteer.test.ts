import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { toJson } from '../gazetteer/gazetteer-json.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { readKeptGazetteer } from './kept-gazetteer.js';

const EMPTY = new Gazetteer({ continents: [], regions: [], places: [] });

t.test('a kept gazetteer is read, and there may be none', async (t) => {
  const path = join(t.testdir({}), 'gazetteer.json');
  const fail = (line: string): void => void t.fail(line);
  t.equal(await readKeptGazetteer(path, fail), undefined);
  writeFileSync(path, toJson(EMPTY));
  t.match((await readKeptGazetteer(path, fail))?.content, EMPTY.content);
});

for (const [name, text] of [
  ['torn', toJson(EMPTY).slice(0, -1)],
  ['of another shape', '{}'],
] as const) {
  t.test(`a kept gazetteer that is ${name} is told in one line and thrown away`, async (t) => {
    const path = join(t.testdir({ 'gazetteer.json': text }), 'gazetteer.json');
    const lines: string[] = [];
    t.equal(await readKeptGazetteer(path, (line) => lines.push(line)), undefined);
    t.equal(lines.length, 1);
    t.notOk(existsSync(path));
  });
}
