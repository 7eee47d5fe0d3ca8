import t from 'tap';
import type { Manifest } from '../../pipeline/release/contract.js';
import { statusOf } from './release-status.js';

const INPUT: Manifest['inputs'][number] = {
  feed: 'own',
  publisher: 'A publisher',
  licence: { name: 'CC0', url: 'https://licence.example.com/', attribution: '', inDownload: true },
  files: [],
  refusals: [],
} as unknown as Manifest['inputs'][number];

const manifestWith = (inputs: readonly Manifest['inputs'][number][]): Manifest =>
  ({ source: 'inputs', inputs, files: [] }) as unknown as Manifest;

t.test('a release without scorecard, changes and coverage has a status without them', (t) => {
  t.same(statusOf(manifestWith([])), { isSample: false, inputs: [] });
  t.end();
});

t.test('a refused file is an older copy, without its name and the reason', (t) => {
  const refused = {
    ...INPUT,
    files: [
      { id: 'secret-name.csv', rows: 2, modified: '2026-11-01T00:00:00Z', lastGood: false },
      { id: 'other-name.csv', rows: 3, modified: '2026-11-02T00:00:00Z', lastGood: true },
    ],
    refusals: [{ file: 'secret-name.csv', reason: '/home/operator: torn' }],
  } as unknown as Manifest['inputs'][number];
  const { inputs } = statusOf(manifestWith([refused, INPUT]));
  t.match(inputs, [
    { rows: 5, newest: '2026-11-02T00:00:00Z', isOlderCopy: true },
    { rows: 0, newest: undefined, isOlderCopy: false },
  ]);
  t.notMatch(JSON.stringify(inputs), /secret-name|other-name|operator/);
  t.end();
});
