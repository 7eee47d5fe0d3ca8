import t from 'tap';
import { newestDay, readListDays, writeListDays } from './list-days.js';

t.test('the days of networks and of autonomous systems count alike', (t) => {
  const dir = t.testdir();
  const asns = new Map([[64496, { type: 'VPN', lastSeen: 20_500 }]]);
  writeListDays(dir, { claims: [{ type: 'TOR', lastSeen: 20_400 }], asns });
  t.same(readListDays(dir), { seen: [20_400, 20_500], isPartlyUndated: false });
  writeListDays(dir, { claims: [{ type: 'TOR' }], asns: new Map() });
  t.same(readListDays(dir), { seen: [], isPartlyUndated: true });
  writeListDays(dir, { claims: [], asns: new Map() });
  t.same(readListDays(dir), { seen: [], isPartlyUndated: false }, 'a list of nothing');
  t.end();
});

t.test('a list without dates has the age of its copy; a list with dates has the newest date', (t) => {
  const calendar = { dayOfCopy: 20_000, now: 20_010 };
  t.equal(newestDay({ seen: [], isPartlyUndated: true }, calendar), 20_000);
  t.equal(newestDay({ seen: [18_000, 19_000], isPartlyUndated: true }, calendar), 19_000);
  t.equal(newestDay({ seen: [20_005], isPartlyUndated: false }, calendar), 20_005, 'the copy may be older');
  t.end();
});

t.test('a date in the future does not make other rows old', (t) => {
  const calendar = { dayOfCopy: 20_000, now: 20_010 };
  t.equal(newestDay({ seen: [19_000, 20_011, 47_000], isPartlyUndated: false }, calendar), 19_000);
  t.equal(newestDay({ seen: [47_000], isPartlyUndated: false }, calendar), 20_000);
  t.end();
});
