import t from 'tap';
import { freezeDeep, RecordCache } from './record-cache.js';

t.test('stored values are frozen at every depth, except bytes', (t) => {
  const cache = new RecordCache();
  const record = { names: { en: 'x' }, list: [{ n: 1 }, null], raw: Uint8Array.of(1, 2), none: null };
  cache.set(7, { value: record, offset: 9 });
  t.equal(cache.get(7)?.value, record);
  for (const part of [record, record.names, record.list, record.list[0]]) t.ok(Object.isFrozen(part));
  t.same(record.raw, Uint8Array.of(1, 2));
  for (const value of [1, 'text', null, undefined, true]) t.equal(freezeDeep(value), value);
  t.end();
});
