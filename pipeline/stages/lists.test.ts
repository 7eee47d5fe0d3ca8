import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { matchesName } from '../feeds/name-pattern.js';
import type { List } from '../lists/list.js';
import { tryFiles } from '../lists/testing/list-trial.js';
import { ALLOWABLE_LISTS } from '../proxy/allow-scopes.js';
import { CLOUD_PRECEDENCE } from '../service/cloud-precedence.js';
import { BLIND_AT_EDGES, KEPT_WITH_COPY } from '../service/screen-hits.js';
import { TYPE_PRECEDENCE } from '../service/type-precedence.js';
import { STATED_FIRST } from '../service/usage-type.js';
import { listById, LISTS } from './lists.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** Names of bundled files that a pattern with a `*` stands for. */
const DATED = ['ServiceTags_Public_20261116.json'];

function fixturesOf({ files }: List): string[] {
  return files.flatMap(({ folder, name }) => {
    const names = name.includes('*') ? DATED.filter((dated) => matchesName(name, dated)) : [name];
    return names.map((one) => `${folder}/${one}`).filter((id) => existsSync(join(FIXTURES, id)));
  });
}

const said = new Map(
  await Promise.all(
    LISTS.map(async (list) => {
      const { claims, asns } = await tryFiles(list, fixturesOf(list));
      return [list.id, [...claims, ...asns.values()]] as const;
    }),
  ),
);

const idsOf = (lists: readonly List[]): string[] => lists.map(({ id }) => id).sort();

t.test('every list has an id and files of its own, and something to say in the fixtures', (t) => {
  t.equal(new Set(idsOf(LISTS)).size, LISTS.length);
  const files = LISTS.flatMap((list) => list.files.map(({ folder, name }) => `${folder}/${name}`));
  t.equal(new Set(files).size, files.length);
  for (const { id, files, layers } of LISTS) {
    t.ok(said.get(id)!.length > 0, id);
    t.ok(
      files.every(({ required }) => !required),
      `${id} can do without any of its files`,
    );
    t.ok(layers.length > 0, id);
  }
  t.equal(listById('tor')?.id, 'tor');
  t.equal(listById('geolite2'), undefined);
  t.end();
});

t.test('an operator can switch off every list that names types or threats, and no other', (t) => {
  const naming = LISTS.filter(({ id }) => {
    return id !== 'operator-lists' && said.get(id)!.some(({ type, threats }) => type ?? threats);
  });
  t.same([...ALLOWABLE_LISTS].sort(), idsOf(naming));
  t.end();
});

t.test('every cloud that is named by a list has its place among them', (t) => {
  const naming = LISTS.filter(({ id }) => said.get(id)!.some(({ cloud }) => cloud));
  t.same([...CLOUD_PRECEDENCE].sort(), idsOf(naming));
  t.end();
});

t.test('the policy speaks of lists that there are', (t) => {
  const named = new Set([
    ...TYPE_PRECEDENCE.flatMap(({ lists = [] }) => lists),
    ...BLIND_AT_EDGES,
    ...KEPT_WITH_COPY,
    ...STATED_FIRST,
  ]);
  for (const id of named) t.ok(listById(id), id);
  t.end();
});

t.test('a type that a list names stands in a row with that list, or is an operator’s own', (t) => {
  for (const [list, claims] of said) {
    const types = new Set(claims.flatMap(({ type, isOwn }) => (type === undefined || isOwn ? [] : [type])));
    for (const type of types) {
      const row = TYPE_PRECEDENCE.find(({ types, lists }) => types?.includes(type) && lists?.includes(list));
      t.ok(row, `${list} ${type}`);
    }
  }
  t.end();
});
