import t from 'tap';
import { newestDay, readListDays, writeListDays } from './list-days.js';

t.test('the days of networks and of autonomous systems count alike', (t) => {
  const dir = t.testdir();
  const asns = new Map([[64496, { type: 'VPN', lastSeen: 20_500 }]]);
  writeListDays(dir, { claims: [{ type: 'TOR', lastSeen: 20_400 }], asns });
  t.same(readListDays(dir), { newest: 20_500, isPartlyUndated: false });
  writeListDays(dir, { claims: [{ type: 'TOR' }], asns: new Map() });
  t.same(readListDays(dir), { isPartlyUndated: true });
  writeListDays(dir, { claims: [], asns: new Map() });
  t.same(readListDays(dir), { isPartlyUndated: false }, 'a list of nothing');
  t.end();
});

t.test('a list without dates is as new as its copy, one with dates as new as they say', (t) => {
  t.equal(newestDay({ isPartlyUndated: true }, 20_000), 20_000);
  t.equal(newestDay({ newest: 19_000, isPartlyUndated: true }, 20_000), 19_000);
  t.end();
});
