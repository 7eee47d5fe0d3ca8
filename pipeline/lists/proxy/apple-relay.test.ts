import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { refusalsOf } from '../../input/testing/refusals.js';
import { APPLE_RELAY } from './apple-relay.js';

const EGRESS = 'apple-relay/egress-ip-ranges.csv';
const MIRROR = 'apple-relay/ip-ranges.txt';
const RELAY = { type: 'CPN', provider: 'Apple iCloud Private Relay', usageType: 'DCH' };

t.test('the first line is a row, and the locations are not read', async (t) => {
  const trial = await tryFiles(APPLE_RELAY, [EGRESS]);
  t.same(trial.claimAt('172.224.226.0'), RELAY, 'line 1');
  t.same(trial.claimAt('172.224.226.33'), RELAY);
  t.equal(trial.claimAt('172.224.226.34'), undefined);
  t.same(trial.claimAt('146.75.129.200'), RELAY, 'a quoted city with a comma');
  t.same(trial.claimAt('146.75.130.3'), RELAY, 'without a city');
  t.same(trial.claimAt('2a02:26f7:b000:4000::1'), RELAY);
  t.same(trial.claims, [RELAY]);
  t.equal(trial.tally(EGRESS).accepted, 11);
  t.equal(trial.tally(EGRESS).rejected, 0);
});

t.test('a mirror has networks and addresses, and may be read together with the original', async (t) => {
  const trial = await tryFiles(APPLE_RELAY, [MIRROR, EGRESS]);
  t.same(trial.claimAt('104.28.28.76'), RELAY, 'a bare address');
  t.equal(trial.claimAt('104.28.28.77'), undefined);
  t.same(trial.claimAt('172.224.226.33'), RELAY);
  t.equal(trial.tally(MIRROR).accepted, 19);
  t.equal(trial.tally(MIRROR).rejected, 0);
});

t.test('rows with other columns, without a network or with stray quotes are rejected', async (t) => {
  const trial = await tryContents(t, APPLE_RELAY, {
    [EGRESS]: [
      'cidr,country,region,city,',
      '172.224.226.0/27,GB,GB-EN,London',
      ',GB,GB-EN,London,',
      '172.224.226.0/27,GB,"GB-EN,London,',
      '10.0.0.0/27,GB,GB-EN,London,',
      '\u200b172.224.227.0/27,GB,GB-EN,London,',
    ].join('\n'),
  });
  t.same(trial.rejections(EGRESS), ['address@1', 'address@3', 'columns@2', 'quoting@4', 'reserved@5']);
  t.same(trial.claimAt('172.224.227.1'), RELAY, 'invisible characters are ignored');
});

t.test('unusable files are refused', async (t) => {
  const refusals: [id: string, content: string, refusal: string][] = [
    [EGRESS, '0.0.0.0/0,US,,,\n', 'too-wide'],
    [MIRROR, '2a02:26f7::/15\n', 'too-wide'],
    [EGRESS, '<!doctype html><p>no</p>', 'container'],
    [EGRESS, '', 'truncated'],
  ];
  for (const [id, content, refusal] of refusals) {
    t.same(await refusalsOf(tryContents(t, APPLE_RELAY, { [id]: content })), [`${id} ${refusal}`], content);
  }
  const bad = await tryContents(t, APPLE_RELAY, { [EGRESS]: 'a,b,c,d,\ne\n' });
  t.equal(bad.tally(EGRESS).rejected, 2);
});

t.test('the real files are read completely', { skip: withoutReal([EGRESS, MIRROR]) }, async (t) => {
  const trial = await tryFiles(APPLE_RELAY, [EGRESS, MIRROR], REAL_FILES);
  for (const [id, rows] of [
    [EGRESS, 3],
    [MIRROR, 13_745],
  ] as const) {
    const lines = readFileSync(join(REAL_FILES, id), 'utf8').trimEnd().split('\n').length;
    t.equal(lines, rows);
    t.equal(trial.tally(id).accepted, lines);
    t.equal(trial.tally(id).rejected, 0);
  }
  t.same(trial.claimAt('172.224.226.33'), RELAY);
});
