import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { matchesName } from '../input/name-pattern.js';
import type { List } from '../lists/list.js';
import { tryFiles } from '../lists/testing/list-trial.js';
import { ALLOWABLE_LISTS } from '../lists/proxy/allow-scopes.js';
import { CLOUD_PRECEDENCE } from '../isp/cloud.js';
import { BLIND_AT_EDGES, KEPT_WITH_COPY, TYPE_PRECEDENCE } from '../isp/proxy-type.js';
import { STATED_FIRST } from '../isp/usage-type.js';
import { listById, LISTS } from '../lists/catalogue.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** Names of bundled files that match a pattern with a `*`. */
const DATED = ['ServiceTags_Public_20261116.json'];

function fixturesOf({ files }: List): string[] {
  return files.flatMap(({ folder, name }) => {
    const names = name.includes('*') ? DATED.filter((dated) => matchesName(name, dated)) : [name];
    return names.map((one) => `${folder}/${one}`).filter((id) => existsSync(join(FIXTURES, id)));
  });
}

const claimsByList = new Map(
  await Promise.all(
    LISTS.map(async (list) => {
      const { claims, asns } = await tryFiles(list, fixturesOf(list));
      return [list.id, [...claims, ...asns.values()]] as const;
    }),
  ),
);

const idsOf = (lists: readonly List[]): string[] => lists.map(({ id }) => id).sort();

t.test('every list has a distinct id, distinct files, and claims in the fixtures', (t) => {
  t.equal(new Set(idsOf(LISTS)).size, LISTS.length);
  const files = LISTS.flatMap((list) => list.files.map(({ folder, name }) => `${folder}/${name}`));
  t.equal(new Set(files).size, files.length);
  for (const { id, files, layers } of LISTS) {
    t.ok(claimsByList.get(id)!.length > 0, id);
    t.ok(
      files.every(({ required }) => !required),
      `${id} has only optional files`,
    );
    t.ok(layers.length > 0, id);
  }
  t.equal(listById('tor')?.id, 'tor');
  t.equal(listById('geolite2'), undefined);
  t.end();
});

t.test('every list of types or threats can be overruled by the operator, and no other list', (t) => {
  const naming = LISTS.filter(({ id }) => {
    return id !== 'operator-lists' && claimsByList.get(id)!.some(({ type, threats }) => type ?? threats);
  });
  t.same([...ALLOWABLE_LISTS].sort(), idsOf(naming));
  t.end();
});

t.test('every cloud in a list has a rank in the precedence', (t) => {
  const naming = LISTS.filter(({ id }) => claimsByList.get(id)!.some(({ cloud }) => cloud));
  t.same([...CLOUD_PRECEDENCE].sort(), idsOf(naming));
  t.end();
});

t.test('the policy names only existing lists', (t) => {
  const named = new Set([
    ...TYPE_PRECEDENCE.flatMap(({ lists = [] }) => lists),
    ...BLIND_AT_EDGES,
    ...KEPT_WITH_COPY,
    ...STATED_FIRST,
  ]);
  for (const id of named) t.ok(listById(id), id);
  t.end();
});

t.test('every type of a list has a row with that list in the precedence, or belongs to an operator', (t) => {
  for (const [list, claims] of claimsByList) {
    const types = new Set(claims.flatMap(({ type, isOwn }) => (type === undefined || isOwn ? [] : [type])));
    for (const type of types) {
      const row = TYPE_PRECEDENCE.find(({ types, lists }) => types?.includes(type) && lists?.includes(list));
      t.ok(row, `${list} ${type}`);
    }
  }
  t.end();
});
