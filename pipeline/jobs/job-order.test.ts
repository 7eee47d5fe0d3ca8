import t from 'tap';
import { jobPriorities } from './job-order.js';
import type { PlannedJob } from './planned-jobs.js';

const job = (name: string, more: Partial<PlannedJob> = {}): PlannedJob => {
  return { kind: 'ingest', name, input: {}, children: [], ...more };
};

const order = (publish: PlannedJob, times: Record<string, number>, concurrency = 2): string[] => {
  const priorities = jobPriorities(publish, { times, concurrency });
  return [...priorities].sort(([, a], [, b]) => a - b).map(([name]) => name);
};

t.test('the job with the longest way to the end comes first', (t) => {
  const publish = job('publish', {
    children: [job('a', { children: [job('a1'), job('a2')] }), job('b', { children: [job('b1')] })],
  });
  const times = { publish: 1, a: 10, a1: 2, a2: 5, b: 3, b1: 11 };
  // a2 16, b1 15, a1 13, a 11, b 4, publish 1.
  t.strictSame(order(publish, times), ['a2', 'b1', 'a1', 'a', 'b', 'publish']);
  t.end();
});

t.test('a phase takes as long as its longest job or its share of the work', (t) => {
  const phases = job('p', {
    kind: 'phases',
    phases: [[job('m1'), job('m2'), job('m3')], [job('w')]],
    children: [job('x')],
  });
  const publish = job('publish', { children: [phases, job('y')] });
  const times = { publish: 0, p: 0, m1: 10, m2: 12, m3: 20, w: 5, x: 1, y: 25.5 };
  // With two at a time: m3 25, m2 17, m1 15, x 1 + 21 + 5 = 27, y 25.5.
  t.strictSame(order(publish, times).slice(0, 6), ['x', 'p', 'y', 'm3', 'm2', 'm1']);
  // With one at a time: x 1 + 42 + 5 = 48.
  t.strictSame(order(publish, { ...times, y: 47.5 }, 1).slice(0, 2), ['x', 'y']);
  t.end();
});

t.test('a job that others wait for has their way to the end, also those of other branches', (t) => {
  const isp = job('isp', { kind: 'phases', phases: [[job('i')]], awaits: ['v'] });
  const merged = job('m', { children: [job('v', { children: [job('v1')] })] });
  const children = [merged, job('w', { children: [job('w1')] }), isp];
  const times = { publish: 0, isp: 0, i: 30, m: 1, v: 1, v1: 1, w: 1, w1: 20 };
  // v1 32 by i, w1 21.
  t.strictSame(order(job('publish', { children }), times), [
    'v1',
    'v',
    'i',
    'isp',
    'w1',
    'm',
    'w',
    'publish',
  ]);
  t.end();
});

t.test('equal ways keep the order of the plan, and a job without a time has a guess', (t) => {
  const publish = job('publish', { kind: 'publish', children: [job('fetch:b'), job('fetch:a')] });
  t.strictSame(order(publish, { 'fetch:b': 7, 'fetch:a': 7 }), ['fetch:b', 'fetch:a', 'publish']);
  const rib = job('publish', { kind: 'publish', children: [job('ingest:tor'), job('ingest:rib')] });
  t.strictSame(order(rib, {})[0], 'ingest:rib');
  t.end();
});
