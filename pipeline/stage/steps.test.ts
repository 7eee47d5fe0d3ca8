import t from 'tap';
import type { StageProgress } from './stage.js';
import { stepsOf } from './steps.js';

t.test('a step is reported with the share of the steps before it, also of those left out', (t) => {
  const reports: StageProgress[] = [];
  const steps = stepsOf(
    { progress: (report) => reports.push(report) },
    { load: 1, merge: 3, check: 2, write: 2 },
  );
  steps.start('load', 'loading');
  steps.start('merge', 'merging');
  steps.start('write', 'writing geo.mmdb');
  t.same(reports, [
    { share: 0, text: 'loading' },
    { share: 1 / 8, text: 'merging' },
    { share: 6 / 8, text: 'writing geo.mmdb' },
  ]);
  t.end();
});
