import type { FlowJob } from 'bullmq';
import t from 'tap';
import { flowTree } from './flow-plan.js';
import { jobNames, planJobs, requiredJobNames } from './planned-jobs.js';
import { jobSettingsSchema } from '../stage/settings.js';
import { describeError, jobFailure } from './stage-failure.js';
import { TransientError } from '../store/transient-error.js';

const shared = {
  feeds: ['geolite2', 'own'],
  sources: ['rib', 'rpki'],
  lists: [],
  datasetFeeds: [],
  began: 0,
  concurrency: 2,
};
const settings = { ...shared, feedsDir: 'in', outputDir: 'out', bundledFeedsDir: 'bundled' };

t.test('every source is fetched, then ingested; each dataset waits for its own sources', (t) => {
  t.strictSame(jobNames(planJobs(settings)), [
    'fetch:rib',
    'ingest:rib',
    'fetch:rpki',
    'ingest:rpki',
    'compile:routing',
    'changes:asn',
    'fetch:geolite2',
    'ingest:geolite2',
    'fetch:own',
    'ingest:own',
    'fetch:gazetteer',
    'gazetteer',
    'find:geo',
    'verdicts:geolite2',
    'verdicts:own',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((part) => `merge:${part}-of-8`),
    'score:geo',
    'write:served',
    'write:download',
    'changes:geo',
    'compile:geo',
    'publish',
  ]);
  t.end();
});

t.test('the jobs of phases are no part of the tree, and may be skipped', (t) => {
  const names = requiredJobNames(planJobs(settings));
  t.ok(names.includes('compile:geo'));
  t.notOk(names.some((name) => /^(find|verdicts|merge|score|write|phases):|^changes:geo$/.test(name)));
  t.ok(names.includes('changes:asn'));
  const publish = flowTree({ settings }, { id: 'run1', prefix: 'x' });
  const merges = publish.children![1]!.children![0]!;
  const verdicts = merges.children![0]!;
  for (const [name, phases, counts] of [
    ['phases:verdicts', verdicts, [1, 2]],
    ['phases:geo', merges, [9, 2]],
  ] as const) {
    t.match(phases, { name, queueName: 'phases', opts: { failParentOnFailure: true } });
    const { data } = phases as { data: { phases: object[][] } };
    t.same(
      data.phases.map((jobs) => jobs.length),
      counts,
    );
  }
  const { data } = verdicts as { data: { phases: { name: string; queueName: string; data: object }[][] } };
  t.match(data.phases[1]![0], {
    name: 'verdicts:geolite2',
    queueName: 'build',
    data: { kind: 'verdicts', input: { feed: 'geolite2' }, settings: shared },
    opts: { jobId: 'run1.verdicts.geolite2', failParentOnFailure: true },
  });
  t.end();
});

t.test('without routing sources only geolocation is compiled', (t) => {
  const { children } = planJobs({ ...settings, sources: [] });
  t.strictSame(
    children.map(({ name, input }) => [name, input]),
    [['compile:geo', { dataset: 'geo' }]],
  );
  t.end();
});

t.test('lists are compiled after the routing datasets and the verdicts, beside the merges', (t) => {
  const plan = planJobs({ ...settings, lists: ['tor', 'aws'] });
  const [isp, geo] = plan.children;
  t.match(isp, {
    name: 'phases:isp',
    awaits: ['phases:verdicts'],
    phases: [
      [{ name: 'compile:isp', input: { dataset: 'isp' } }, { name: 'changes:asn' }],
      [{ name: 'changes:isp', input: { dataset: 'isp' } }],
    ],
  });
  t.strictSame(
    isp!.children.map(({ name }) => name),
    ['compile:routing', 'ingest:tor', 'ingest:aws'],
  );
  t.equal(geo!.name, 'compile:geo');
  t.ok(requiredJobNames(plan).includes('compile:isp'), 'it runs in every build');
  const tree = flowTree({ settings: { ...settings, lists: ['tor'] } }, { id: 'run1', prefix: 'x' });
  t.match(tree.children![0], { data: { awaits: ['run1.phases.verdicts'] } });
  const alone = planJobs({ ...settings, sources: [], lists: ['tor'] });
  t.strictSame(
    alone.children[0]!.children.map(({ name }) => name),
    ['ingest:tor'],
  );
  t.notOk(jobNames(alone).includes('changes:asn'), 'without routing datasets they have no changes');
  t.end();
});

t.test('changes follow the file for download, on the machine with the releases', (t) => {
  const publish = flowTree({ settings }, { id: 'run1', prefix: 'x' });
  const [routing, geo] = publish.children!;
  const phasesOf = ({ data }: FlowJob): FlowJob[][] => (data as { phases: FlowJob[][] }).phases;
  t.match(routing!.children, [{ name: 'compile:routing' }]);
  t.match(phasesOf(routing!), [[{ name: 'changes:asn', queueName: 'home' }]]);
  const [served, download] = phasesOf(geo!.children![0]!)[1]!;
  t.equal(served!.name, 'write:served');
  t.match(download, { name: 'phases:download', queueName: 'phases' });
  t.match(phasesOf(download!), [
    [{ name: 'write:download', queueName: 'build' }],
    [{ name: 'changes:geo', queueName: 'home', data: { kind: 'changes', input: { dataset: 'geo' } } }],
  ]);
  t.end();
});

t.test('every job has a priority, those of phases too; times of earlier builds change it', (t) => {
  const withLists = { ...settings, lists: ['tor'] };
  const run = { id: 'run1', prefix: 'x' };
  const priorities = ({ name, opts, data, children = [] }: FlowJob): [string, number | undefined][] => {
    const { phases = [] } = data as { phases?: FlowJob[][] };
    return [[name, opts?.priority], ...[...children, ...phases.flat()].flatMap(priorities)];
  };
  const guessed = new Map(priorities(flowTree({ settings: withLists }, run)));
  t.equal(guessed.size, 4 + new Set(jobNames(planJobs(withLists))).size, 'all jobs and those with phases');
  t.strictSame(
    [...guessed.values()].sort((a, b) => a! - b!),
    Array.from(guessed, (_, i) => i + 1),
  );
  t.ok(guessed.get('ingest:geolite2')! < guessed.get('ingest:tor')!);
  const times = { 'ingest:tor': 500_000 };
  const known = new Map(priorities(flowTree({ settings: withLists, times }, run)));
  t.ok(known.get('ingest:tor')! < known.get('ingest:geolite2')!);
  t.end();
});

t.test('a job carries its kind, its names and the settings without paths, and nothing else', (t) => {
  const publish = flowTree({ settings }, { id: 'run1', prefix: '{ipatlas-x}' });
  t.strictSame(publish.data, { kind: 'publish', input: {}, settings: shared });
  const ingest = publish.children?.[1]?.children?.[0]?.children?.[0]?.children?.[1];
  t.strictSame(ingest?.data, { kind: 'ingest', input: { source: 'own' }, settings: shared });
  t.match(ingest?.opts, { jobId: 'run1.ingest.own', attempts: 3, failParentOnFailure: true });
  t.match(ingest?.children?.[0]?.data, { kind: 'fetch', input: { source: 'own' } });
  t.equal(ingest?.queueName, 'build', 'any worker may run it');
  t.equal(ingest?.children?.[0]?.queueName, 'home', 'only the machine with the files may run it');
  t.equal(publish.queueName, 'home');
  t.end();
});

t.test('settings with an unknown key, without a feed or without a thread are refused', (t) => {
  t.strictSame(jobSettingsSchema.parse({ ...shared, sourceDateEpoch: 0 }).sourceDateEpoch, 0);
  t.throws(() => jobSettingsSchema.parse({ ...shared, feed: 'own' }));
  t.throws(() => jobSettingsSchema.parse(settings), 'paths do not leave the machine');
  t.throws(() => jobSettingsSchema.parse({ ...shared, feeds: [] }));
  t.throws(() => jobSettingsSchema.parse({ ...shared, concurrency: 0 }));
  t.end();
});

t.test('an error keeps its name, text and first stack line when it leaves the thread', (t) => {
  const error = new TransientError('reset', { cause: new Error('ECONNRESET') });
  const described = describeError(error, '/output');
  t.equal(described.name, 'TransientError');
  t.ok(Object.keys(described).includes('name'), 'name is an own property');
  const failure = jobFailure('fetch:own', described.message);
  t.equal(failure.reason, 'TransientError: reset (Error: ECONNRESET)');
  t.match(failure.at, /^at .*flow-plan\.test/);
  t.end();
});

t.test('a thrown value that is not an Error is described too', (t) => {
  t.match(describeError('oops', '/output').message, /^Error: oops/);
  t.equal(
    jobFailure('x', 'job stalled more than allowable limit').reason,
    'job stalled more than allowable limit',
  );
  t.end();
});
