import t from 'tap';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { PublishedFile } from '../input/published-source.js';
import type { ManifestRefusal } from '../release/contract.js';
import { readBestCopy } from './best-copy.js';
import type { LastGoodFile } from './file-choice.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';

const PATTERNS: readonly PublishedFile[] = [
  { folder: 'a', name: 'db_*.zip', container: 'zip', required: true, take: 'latest' },
  { folder: 'a', name: 'geofeeds/*.csv', container: 'plain', required: false, take: 'all' },
  { folder: 'rir', name: 'delegated', container: 'plain', required: false, take: 'all' },
];

function file(name: string, pattern: number, sha256: string): SnapshotFile {
  return {
    id: `a/${name}`,
    folder: 'a',
    name,
    pattern,
    sha256,
    sizeBytes: 1,
    modified: '2026-11-21T00:00:00.000Z',
  };
}
const kept = (name: string, pattern: number, sha256: string): LastGoodFile => ({
  ...file(name, pattern, sha256),
  rows: 9,
  isWhole: () => Promise.resolve(!sha256.startsWith('rotten')),
});

interface Night {
  readonly tonight: readonly SnapshotFile[];
  readonly lastGood?: readonly LastGoodFile[];
  readonly bundled?: readonly SnapshotFile[];
  /** Digests of files that cannot be used. */
  readonly bad: readonly string[];
  readonly notFetched?: readonly NotFetched[];
}

async function readNight({ tonight, lastGood = [], bundled = [], bad, notFetched = [] }: Night) {
  const refusals: ManifestRefusal[] = [];
  const snapshots = { patterns: PATTERNS, tonight, lastGood, bundled, notFetched };
  const best = await readBestCopy(snapshots, refusals, (files) => {
    const broken = files.find(({ sha256 }) => bad.includes(sha256));
    if (broken) throw new FeedError('header', broken.id, 'broken');
    return Promise.resolve(files.map(({ sha256 }) => sha256).sort());
  });
  return {
    read: best?.result,
    lastGood: [...(best?.lastGood ?? [])],
    refusals: refusals.map((r) => `${r.file} ${r.refusal} ${r.usedInstead}`),
  };
}

t.test('good files are read as they are', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  t.same(await readNight({ tonight, bad: [] }), { read: ['new', 'x'], lastGood: [], refusals: [] });
});

t.test(
  'a refused file is replaced by its last good copy, also by an older file of a dated series',
  async (t) => {
    const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
    const lastGood = [kept('db_1.zip', 0, 'old'), kept('geofeeds/y.csv', 1, 'y')];
    t.same(await readNight({ tonight, lastGood, bad: ['new'] }), {
      read: ['old', 'x'],
      lastGood: ['a/db_1.zip'],
      refusals: ['a/db_2.zip header last good copy'],
    });
  },
);

t.test('several refused files are replaced together before the files are read again', async (t) => {
  const tonight = [
    file('db_2.zip', 0, 'new'),
    file('geofeeds/x.csv', 1, 'x'),
    file('geofeeds/z.csv', 1, 'z'),
  ];
  const snapshots = { patterns: PATTERNS, tonight, lastGood: [kept('db_1.zip', 0, 'old')] };
  const refusals: ManifestRefusal[] = [];
  const reads: string[][] = [];
  const best = await readBestCopy(snapshots, refusals, (files) => {
    reads.push(files.map(({ sha256 }) => sha256).sort());
    if (reads.length > 1) return Promise.resolve('read');
    const bad = ['a/db_2.zip', 'a/geofeeds/x.csv'].map((id) => new FeedError('tolerance', id, 'bad'));
    throw new RefusedFiles(bad);
  });
  t.equal(best?.result, 'read');
  t.same(reads, [
    ['new', 'x', 'z'],
    ['old', 'z'],
  ]);
  t.same(
    refusals.map((r) => `${r.file} ${r.refusal} ${r.usedInstead}`),
    ['a/db_2.zip tolerance last good copy', 'a/geofeeds/x.csv tolerance nothing'],
  );
});

t.test('one bad file of many is left out if it has no good copy', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  const lastGood = [kept('geofeeds/y.csv', 1, 'y')];
  t.same(await readNight({ tonight, lastGood, bad: ['x'] }), {
    read: ['new'],
    lastGood: [],
    refusals: ['a/geofeeds/x.csv header nothing'],
  });
});

t.test('without a good copy of a required file there is no result', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  t.same(await readNight({ tonight, bad: ['new'] }), {
    read: undefined,
    lastGood: [],
    refusals: ['a/db_2.zip header nothing'],
  });
  t.same((await readNight({ tonight: tonight.slice(1), bad: [] })).refusals, ['a/db_*.zip missing nothing']);
});

t.test('a missing required file is replaced too, and a bad copy is not tried twice', async (t) => {
  const lastGood = [kept('db_1.zip', 0, 'old')];
  t.same(await readNight({ tonight: [], lastGood, bad: [] }), {
    read: ['old'],
    lastGood: ['a/db_1.zip'],
    refusals: ['a/db_*.zip missing last good copy'],
  });
  t.equal((await readNight({ tonight: [], lastGood, bad: ['old'] })).read, undefined);
});

t.test('a damaged last good copy is not used, and the refusal says so', async (t) => {
  const refusals: ManifestRefusal[] = [];
  const tonight = [file('geofeeds/x.csv', 1, 'x')];
  const lastGood = [kept('db_1.zip', 0, 'rotten old')];
  const read = () => Promise.resolve('read');
  t.equal(await readBestCopy({ patterns: PATTERNS, tonight, lastGood }, refusals, read), undefined);
  t.same(refusals, [
    {
      file: 'a/db_*.zip',
      refusal: 'missing',
      found: 'no such file; last good copies that are damaged: 1',
      usedInstead: 'nothing',
    },
  ]);
  const night = { tonight: [file('db_2.zip', 0, 'new'), ...tonight], lastGood, bad: ['new'] };
  t.same((await readNight(night)).refusals, ['a/db_2.zip header nothing']);
});

t.test('a refused file without a last good copy is replaced by the bundled copy, only once', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const bundled = [file('db_2.zip', 0, 'bundled')];
  const expected = { read: ['bundled'], lastGood: [], refusals: ['a/db_2.zip header bundled copy'] };
  t.same(await readNight({ tonight, bundled, bad: ['new'] }), expected);
  const again = [kept('db_2.zip', 0, 'bundled')];
  t.same(
    await readNight({ tonight, lastGood: again, bundled, bad: ['new'] }),
    expected,
    'the same on the next night',
  );
  const lastGood = [kept('db_2.zip', 0, 'good')];
  t.match(await readNight({ tonight, lastGood, bundled, bad: ['new'] }), { read: ['good'] });
  t.match(await readNight({ tonight, bundled, bad: ['new', 'bundled'] }), {
    read: undefined,
    refusals: ['a/db_2.zip header bundled copy', 'a/db_2.zip header nothing'],
  });
});

t.test('a missing optional file is replaced and reported', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const delegated = { ...kept('delegated', 2, 'd'), folder: 'rir', id: 'rir/delegated' };
  t.same(await readNight({ tonight, lastGood: [delegated], bad: [] }), {
    read: ['d', 'new'],
    lastGood: ['rir/delegated'],
    refusals: ['rir/delegated missing last good copy'],
  });
  t.same(
    (await readNight({ tonight, bad: [] })).refusals,
    [],
    'a file without an earlier copy is not reported',
  );
});

t.test('a family without any file is reported as missing, only once', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const lastGood = [kept('geofeeds/x.csv', 1, 'x'), kept('geofeeds/y.csv', 1, 'y')];
  t.same(await readNight({ tonight, lastGood, bad: [] }), {
    read: ['new', 'x', 'y'],
    lastGood: ['a/geofeeds/x.csv', 'a/geofeeds/y.csv'],
    refusals: ['a/geofeeds/*.csv missing last good copy'],
  });
});

t.test('a missing member of a family counts as withdrawn', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  const lastGood = [
    kept('db_1.zip', 0, 'old'),
    kept('geofeeds/x.csv', 1, 'x'),
    kept('geofeeds/y.csv', 1, 'y'),
  ];
  const refusals: ManifestRefusal[] = [];
  const best = await readBestCopy({ patterns: PATTERNS, tonight, lastGood }, refusals, (files) =>
    Promise.resolve(files.length),
  );
  t.match(best, { result: 2, withdrawn: ['a/geofeeds/y.csv'] });
  t.same(best?.withdrawn.length, 1);
  t.same(refusals, []);
});

t.test('a failed download is reported once, with its replacement', async (t) => {
  const missed = { refusal: 'download' as const, found: 'HTTP 503', patterns: [0] };
  const stale = { ...file('db_1.zip', 0, 'old'), stale: true } as const;
  const held = [{ ...missed, file: 'a/db_1.zip', held: true }];
  t.same(await readNight({ tonight: [stale], bad: [], notFetched: held }), {
    read: ['old'],
    lastGood: ['a/db_1.zip'],
    refusals: ['a/db_1.zip download last good copy'],
  });
  const lost = [{ ...missed, file: 'a/db_*.zip', held: false }];
  const lastGood = [kept('db_1.zip', 0, 'old')];
  t.same(await readNight({ tonight: [], lastGood, bad: [], notFetched: lost }), {
    read: ['old'],
    lastGood: ['a/db_1.zip'],
    refusals: ['a/db_*.zip download last good copy'],
  });
  const skipped = [{ ...lost[0]!, refusal: 'skipped' as const }];
  t.same(await readNight({ tonight: [], bad: [], notFetched: skipped }), {
    read: undefined,
    lastGood: [],
    refusals: ['a/db_*.zip skipped nothing'],
  });
  const broken = await readNight({
    tonight: [stale],
    lastGood: [kept('db_0.zip', 0, 'older')],
    bad: ['old'],
    notFetched: held,
  });
  t.same(broken.read, ['older'], 'a bad stale copy is replaced too');
});

t.test('a missing geofeed is reported separately from the others', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  const bundled = [file('db_2.zip', 0, 'bundled')];
  const missed = { refusal: 'download' as const, found: 'HTTP 503', held: false };
  const geofeed = { ...missed, file: 'a/geofeeds/y.csv', patterns: [1] };
  const badLine = { ...missed, file: 'a/geofeeds.urls', patterns: [] };
  t.same(await readNight({ tonight, bundled, bad: [], notFetched: [geofeed, badLine] }), {
    read: ['new', 'x'],
    lastGood: [],
    refusals: ['a/geofeeds/y.csv download nothing', 'a/geofeeds.urls download nothing'],
  });
  const lastGood = ['w', 'x', 'y'].map((name) => kept(`geofeeds/${name}.csv`, 1, `old ${name}`));
  t.same(await readNight({ tonight, lastGood, bad: [], notFetched: [geofeed] }), {
    read: ['new', 'old y', 'x'],
    lastGood: ['a/geofeeds/y.csv'],
    refusals: ['a/geofeeds/y.csv download last good copy'],
  });
});

t.test('a bundled copy is reported only if it replaces a download', async (t) => {
  const stale = { ...file('delegated', 2, 'd'), id: 'rir/delegated', folder: 'rir', stale: true } as const;
  const tonight = [file('db_2.zip', 0, 'new'), stale];
  const notFetched = [
    { file: 'rir/delegated', refusal: 'download' as const, found: 'HTTP 503', patterns: [2], held: true },
  ];
  const night = { tonight, bad: [], notFetched };
  t.match(await readNight({ ...night, bundled: [{ ...stale, sha256: 'd' }] }), {
    lastGood: [],
    refusals: ['rir/delegated download bundled copy'],
  });
  t.match(await readNight({ ...night, bundled: [{ ...stale, sha256: 'another' }] }), {
    lastGood: ['rir/delegated'],
    refusals: ['rir/delegated download last good copy'],
  });
});

/** A source with a folder per publisher. */
async function readDumps({ tonight, lastGood = [], bad, notFetched = [] }: Night) {
  const patterns: readonly PublishedFile[] = [
    { folder: 'rib', name: '*/bview.*.gz', container: 'gz', required: false, take: 'latest' },
  ];
  const refusals: ManifestRefusal[] = [];
  const best = await readBestCopy({ patterns, tonight, lastGood, notFetched }, refusals, (files) => {
    const broken = files.find(({ sha256 }) => bad.includes(sha256));
    if (broken) throw new FeedError('stale', broken.id, 'old');
    return Promise.resolve(files.map(({ sha256 }) => sha256).sort());
  });
  const { result: read, withdrawn } = best ?? {};
  return { read, withdrawn, refusals: refusals.map((r) => `${r.file} ${r.refusal} ${r.usedInstead}`) };
}
const dump = (collector: string, day: number, sha256: string): SnapshotFile => {
  const name = `${collector}/bview.2026112${day}.gz`;
  return { ...file(name, 0, sha256), id: `rib/${name}`, folder: 'rib' };
};
const keptDump = (collector: string, day: number, sha256: string): LastGoodFile => ({
  ...kept('', 0, sha256),
  ...dump(collector, day, sha256),
});

t.test('a refused dump is replaced by the last dump of the same collector, or left out', async (t) => {
  const tonight = [dump('rrc00', 2, 'new0'), dump('rrc12', 2, 'new12')];
  const lastGood = [keptDump('rrc12', 1, 'old12')];
  t.same(await readDumps({ tonight, lastGood, bad: ['new12'] }), {
    read: ['new0', 'old12'],
    withdrawn: [],
    refusals: ['rib/rrc12/bview.20261122.gz stale last good copy'],
  });
  t.same(await readDumps({ tonight, lastGood, bad: ['new0'] }), {
    read: ['new12'],
    withdrawn: [],
    refusals: ['rib/rrc00/bview.20261122.gz stale nothing'],
  });
});

t.test('a missing collector is reported, and its last dump is used', async (t) => {
  const tonight = [dump('rrc00', 2, 'new0')];
  const lastGood = [keptDump('rrc00', 1, 'old0'), keptDump('rrc12', 1, 'old12')];
  t.same(await readDumps({ tonight, lastGood, bad: [] }), {
    read: ['new0', 'old12'],
    withdrawn: [],
    refusals: ['rib/rrc12/bview.20261121.gz missing last good copy'],
  });
  t.same(await readDumps({ tonight, lastGood, bad: ['old12'] }), {
    read: ['new0'],
    withdrawn: [],
    refusals: [
      'rib/rrc12/bview.20261121.gz missing last good copy',
      'rib/rrc12/bview.20261121.gz stale nothing',
    ],
  });
  const missed = { refusal: 'download' as const, found: 'HTTP 503', patterns: [0], held: false };
  const notFetched = [{ ...missed, file: 'rib/rrc12/bview.20261122.gz' }];
  t.same(await readDumps({ tonight, lastGood, bad: [], notFetched }), {
    read: ['new0', 'old12'],
    withdrawn: [],
    refusals: ['rib/rrc12/bview.20261122.gz download last good copy'],
  });
});

/** A source that is published in two forms. */
async function readForms({ tonight, lastGood = [], bad }: Night) {
  const form = (name: string, other: string): PublishedFile => {
    return { folder: 'a', name, container: 'plain', required: false, take: 'all', alternatives: [other] };
  };
  const patterns = [form('vrps.csv', 'rpki.json'), form('rpki.json', 'vrps.csv')];
  const refusals: ManifestRefusal[] = [];
  const best = await readBestCopy({ patterns, tonight, lastGood }, refusals, (files) => {
    const broken = files.find(({ sha256 }) => bad.includes(sha256));
    if (broken) throw new FeedError('truncated', broken.id, 'torn');
    return Promise.resolve(files.map(({ sha256 }) => sha256));
  });
  return { read: best?.result, refusals: refusals.map((r) => `${r.file} ${r.refusal} ${r.usedInstead}`) };
}

t.test(
  'a file that exists in another form is not reported as missing, and its last good copy is not used',
  async (t) => {
    const night = { tonight: [file('rpki.json', 1, 'json')], lastGood: [kept('vrps.csv', 0, 'csv')] };
    t.same(await readForms({ ...night, bad: [] }), { read: ['json'], refusals: [] });
    t.same(await readForms({ ...night, bad: ['json'] }), {
      read: ['csv'],
      refusals: ['a/rpki.json truncated last good copy'],
    });
    t.same(await readForms({ ...night, bad: ['json', 'csv'] }), {
      read: undefined,
      refusals: ['a/rpki.json truncated last good copy', 'a/vrps.csv truncated nothing'],
    });
    t.same(await readForms({ ...night, tonight: [], bad: [] }), {
      read: ['csv'],
      refusals: ['a/{vrps.csv,rpki.json} missing last good copy'],
    });
  },
);

t.test("IANA's registries are files of the source iana only", async (t) => {
  const registry = { folder: 'iana', name: 'special.xml', container: 'plain', take: 'all' } as const;
  const tonight = [{ ...file('special.xml', 0, 'r'), id: 'iana/special.xml', folder: 'iana' }];
  const read = () => Promise.resolve('read');
  const own = { patterns: [{ ...registry, required: false }], tonight, lastGood: [] };
  t.match(await readBestCopy(own, [], read), { result: 'read' });
  const shared = { ...own, patterns: [{ ...registry, required: false, shared: true as const }] };
  t.equal(await readBestCopy(shared, [], read), undefined, 'the feed has no files of its own');
});

t.test('errors that do not concern a file are thrown', async (t) => {
  const refusals: ManifestRefusal[] = [];
  const read = (): Promise<never> => Promise.reject(new Error('disk full'));
  const snapshots = { patterns: PATTERNS, tonight: [file('db_2.zip', 0, 'new')], lastGood: [] };
  await t.rejects(readBestCopy(snapshots, refusals, read), /disk full/);
});
