import t from 'tap';
import type { StageProgress } from './stage.js';
import { stepsOf } from './steps.js';

t.test('steps are reported as shares of the whole job', (t) => {
  const reports: StageProgress[] = [];
  const steps = stepsOf({ progress: (report) => reports.push(report) }, [1, 3, 4]);
  steps.next('loading');
  steps.part(0.5);
  steps.next('merging');
  steps.part(2);
  steps.next('writing');
  steps.next('done');
  steps.next('one more');
  t.same(reports, [
    { share: 0, text: 'loading' },
    { share: 1 / 16 },
    { share: 1 / 8, text: 'merging' },
    { share: 4 / 8 },
    { share: 4 / 8, text: 'writing' },
    { share: 1, text: 'done' },
    { share: 1, text: 'one more' },
  ]);
  t.end();
});

t.test('a job without weights reports no share of nothing', (t) => {
  const reports: StageProgress[] = [];
  const steps = stepsOf({ progress: (report) => reports.push(report) }, []);
  steps.next('loading');
  t.same(reports, [{ share: 0, text: 'loading' }]);
  t.end();
});
