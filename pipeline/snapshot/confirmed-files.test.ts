import t from 'tap';
import { isOutdated } from '../isp/isp-inputs.js';
import { confirmFiles, type LiveNight } from './confirmed-files.js';
import type { LastGoodFile, Snapshots } from './file-choice.js';
import type { SnapshotFile } from './snapshot.js';
import type { InputFile } from './sources.js';

const PATTERNS: readonly InputFile[] = [
  { ...declared('v4'), download: { url: 'https://publisher.example/v4', minBytes: 1 } },
  { ...declared('v6'), download: { url: 'https://publisher.example/v6', minBytes: 1 } },
  declared('by-hand'),
  { ...declared('stated'), maxAgeDays: 180, download: { url: 'https://cloud.example/', minBytes: 1 } },
  { ...declared('registry'), shared: true, download: { url: 'https://iana.example/', minBytes: 1 } },
];
const NIGHT = { since: '2026-11-21T01:00:00.000Z', maxAgeDays: 30 };

function declared(name: string): InputFile {
  return { folder: 'a', name, container: 'plain', required: false, take: 'all' };
}

function file(name: string, modified: string, more: Partial<SnapshotFile> = {}): SnapshotFile {
  const pattern = PATTERNS.findIndex((one) => one.name === name);
  const id = `a/${name}`;
  return { id, folder: 'a', name, pattern, sha256: name, sizeBytes: 1, modified: at(modified), ...more };
}

function kept(name: string, modified: string, confirmed?: string): LastGoodFile {
  const dates = confirmed === undefined ? {} : { confirmed: at(confirmed) };
  return { ...file(name, modified, dates), rows: 9, isWhole: () => Promise.resolve(true) };
}

const at = (day: string): string => `${day}T00:00:00.000Z`;

/** Returns the files that remain of tonight's and of the last good ones, with their days, and the refusals. */
function confirm(snapshots: Partial<Snapshots>, night: LiveNight = NIGHT) {
  const seen = confirmFiles({ patterns: PATTERNS, tonight: [], lastGood: [], ...snapshots }, night);
  const withDay = ({ name, confirmed }: SnapshotFile) =>
    `${name} ${confirmed?.slice(0, 10) ?? 'unconfirmed'}`;
  return {
    tonight: seen.tonight.map(withDay),
    lastGood: seen.lastGood.map(withDay),
    notFetched: seen.notFetched?.map(({ held, found }) => `${held ? 'held' : 'none'}: ${found}`),
  };
}

t.test('a file that its publisher reports as unchanged is confirmed tonight, whatever its age', (t) => {
  const tonight = [file('v4', '2021-04-08'), file('by-hand', '2026-11-01'), file('registry', '2020-01-01')];
  t.same(confirm({ tonight }).tonight, ['v4 2026-11-21', 'by-hand unconfirmed', 'registry unconfirmed']);
  t.end();
});

t.test('a copy that could not be refreshed keeps the confirmation date of the last release', (t) => {
  const stale = file('v4', '2021-04-08', { stale: true });
  const notFetched = [
    { file: 'a/v4', refusal: 'download' as const, found: '503', patterns: [0], held: true },
  ];
  const night = { tonight: [stale, file('v6', '2021-04-08')], notFetched };
  t.same(confirm({ ...night, lastGood: [kept('v4', '2021-04-08', '2026-11-20')] }), {
    tonight: ['v4 2026-11-20', 'v6 2026-11-21'],
    lastGood: ['v4 2026-11-20'],
    notFetched: ['held: 503'],
  });
  t.same(
    confirm({ ...night, lastGood: [kept('v4', '2021-04-08', '2026-10-21')] }),
    {
      tonight: ['v6 2026-11-21'],
      lastGood: [],
      notFetched: ['none: 503; the last copy is beyond its maximum age'],
    },
    'beside a file that is renewed it is left out a day after its time',
  );
  t.end();
});

t.test('a file that people provide keeps its own date', (t) => {
  const tonight = [file('v4', '2026-11-20'), file('by-hand', '2026-10-21'), file('registry', '2020-01-01')];
  t.same(confirm({ tonight }).tonight, ['v4 2026-11-21', 'registry unconfirmed']);
  t.end();
});

t.test('a list with only old files stays; the merge ignores it', (t) => {
  const tonight = [file('by-hand', '2026-01-01'), file('registry', '2026-11-20')];
  t.same(confirm({ tonight }).tonight, ['by-hand unconfirmed', 'registry unconfirmed']);
  const old = { day: 20_000, today: 20_031, maxAgeDays: 30 };
  t.ok(isOutdated(old));
  t.notOk(isOutdated({ ...old, renewed: 20_001 }));
  t.notOk(isOutdated({ ...old, today: 20_030 }));
  t.end();
});

t.test(
  'of a source that is no list, only copies with a maximum age of their own are confirmed and expire',
  (t) => {
    const feed = { ...NIGHT, maxAgeDays: undefined };
    const missed = {
      file: 'a/stated',
      refusal: 'download' as const,
      found: '503',
      patterns: [3],
      held: true,
    };
    const stale = file('stated', '2026-11-01', { stale: true });
    const others = [file('v4', '2016-01-01', { stale: true }), file('by-hand', '2016-01-01')];
    const night = (confirmed: string) => ({
      tonight: [stale, ...others],
      lastGood: [kept('stated', '2026-11-01', confirmed)],
      notFetched: [missed],
    });
    t.same(confirm({ tonight: [file('stated', '2016-01-01'), ...others] }, feed).tonight, [
      'stated 2026-11-21',
      'v4 unconfirmed',
      'by-hand unconfirmed',
    ]);
    t.same(confirm(night('2026-05-25'), feed), {
      tonight: ['stated 2026-05-25', 'v4 unconfirmed', 'by-hand unconfirmed'],
      lastGood: ['stated 2026-05-25'],
      notFetched: ['held: 503'],
    });
    t.same(confirm(night('2026-05-24'), feed), {
      tonight: ['v4 unconfirmed', 'by-hand unconfirmed'],
      lastGood: [],
      notFetched: ['none: 503; the last copy is beyond its maximum age'],
    });
    t.same(
      confirm({ ...night('2026-05-24'), tonight: [stale] }, feed).tonight,
      [],
      'also if no other file is left',
    );
    t.end();
  },
);
