import t from 'tap';
import { FeedError, RefusedFiles } from '../feeds/feed-error.js';
import type { FeedFile } from '../feeds/feed.js';
import type { ManifestRefusal } from '../release/contract.js';
import { readBestCopy } from './best-copy.js';
import type { LastGoodFile } from './file-choice.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';

const PATTERNS: readonly FeedFile[] = [
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

t.test('a refused file gives way to its last good copy, of the series where names carry dates', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  const lastGood = [kept('db_1.zip', 0, 'old'), kept('geofeeds/y.csv', 1, 'y')];
  t.same(await readNight({ tonight, lastGood, bad: ['new'] }), {
    read: ['old', 'x'],
    lastGood: ['a/db_1.zip'],
    refusals: ['a/db_2.zip header last good copy'],
  });
});

t.test('several refused files are replaced before anything is read again', async (t) => {
  const tonight = [
    file('db_2.zip', 0, 'new'),
    file('geofeeds/x.csv', 1, 'x'),
    file('geofeeds/z.csv', 1, 'z'),
  ];
  const snapshots = { patterns: PATTERNS, tonight, lastGood: [kept('db_1.zip', 0, 'old')] };
  const refusals: ManifestRefusal[] = [];
  const readings: string[][] = [];
  const best = await readBestCopy(snapshots, refusals, (files) => {
    readings.push(files.map(({ sha256 }) => sha256).sort());
    if (readings.length > 1) return Promise.resolve('read');
    const bad = ['a/db_2.zip', 'a/geofeeds/x.csv'].map((id) => new FeedError('tolerance', id, 'bad'));
    throw new RefusedFiles(bad);
  });
  t.equal(best?.result, 'read');
  t.same(readings, [
    ['new', 'x', 'z'],
    ['old', 'z'],
  ]);
  t.same(
    refusals.map((r) => `${r.file} ${r.refusal} ${r.usedInstead}`),
    ['a/db_2.zip tolerance last good copy', 'a/geofeeds/x.csv tolerance nothing'],
  );
});

t.test('one bad file of many is left out when there is no good copy of that very file', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new'), file('geofeeds/x.csv', 1, 'x')];
  const lastGood = [kept('geofeeds/y.csv', 1, 'y')];
  t.same(await readNight({ tonight, lastGood, bad: ['x'] }), {
    read: ['new'],
    lastGood: [],
    refusals: ['a/geofeeds/x.csv header nothing'],
  });
});

t.test('a required file that is neither good nor kept leaves nothing', async (t) => {
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

t.test('a last good copy that has been damaged since is not used, and that is said', async (t) => {
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

t.test('a refused file without a last good copy gives way to the bundled one, and once', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const bundled = [file('db_2.zip', 0, 'bundled')];
  const told = { read: ['bundled'], lastGood: [], refusals: ['a/db_2.zip header bundled copy'] };
  t.same(await readNight({ tonight, bundled, bad: ['new'] }), told);
  const again = [kept('db_2.zip', 0, 'bundled')];
  t.same(
    await readNight({ tonight, lastGood: again, bundled, bad: ['new'] }),
    told,
    'the same on the next night',
  );
  const lastGood = [kept('db_2.zip', 0, 'good')];
  t.match(await readNight({ tonight, lastGood, bundled, bad: ['new'] }), { read: ['good'] });
  t.match(await readNight({ tonight, bundled, bad: ['new', 'bundled'] }), {
    read: undefined,
    refusals: ['a/db_2.zip header bundled copy', 'a/db_2.zip header nothing'],
  });
});

t.test('an optional file that has vanished is replaced and told', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const delegated = { ...kept('delegated', 2, 'd'), folder: 'rir', id: 'rir/delegated' };
  t.same(await readNight({ tonight, lastGood: [delegated], bad: [] }), {
    read: ['d', 'new'],
    lastGood: ['rir/delegated'],
    refusals: ['rir/delegated missing last good copy'],
  });
  t.same((await readNight({ tonight, bad: [] })).refusals, [], 'one that was never there is not missed');
});

t.test('a family of which nothing is left has not come, and that is told once', async (t) => {
  const tonight = [file('db_2.zip', 0, 'new')];
  const lastGood = [kept('geofeeds/x.csv', 1, 'x'), kept('geofeeds/y.csv', 1, 'y')];
  t.same(await readNight({ tonight, lastGood, bad: [] }), {
    read: ['new', 'x', 'y'],
    lastGood: ['a/geofeeds/x.csv', 'a/geofeeds/y.csv'],
    refusals: ['a/geofeeds/*.csv missing last good copy'],
  });
});

t.test('a member of a family that has vanished was withdrawn', async (t) => {
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

t.test('what could not be downloaded is told once, with what is used instead', async (t) => {
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
  t.same(broken.read, ['older'], 'a stale copy that is bad gives way too');
});

t.test('a geofeed that did not come is told by itself, whatever others are there', async (t) => {
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

t.test('a bundled copy is told as one where it stands in for a download, and only there', async (t) => {
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

/** A source whose publishers have a folder each. */
async function readDumps({ tonight, lastGood = [], bad, notFetched = [] }: Night) {
  const patterns: readonly FeedFile[] = [
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

t.test('a refused dump gives way to the last one of its own collector, or is left out', async (t) => {
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

t.test('a collector that is gone is missed, and its last dump used', async (t) => {
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
  const form = (name: string, other: string): FeedFile => {
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
  'a file that is there in another form tonight is not missed, nor its last good copy used',
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

t.test("IANA's registries are a source of their own, and no other feed's", async (t) => {
  const registry = { folder: 'iana', name: 'special.xml', container: 'plain', take: 'all' } as const;
  const tonight = [{ ...file('special.xml', 0, 'r'), id: 'iana/special.xml', folder: 'iana' }];
  const read = () => Promise.resolve('read');
  const own = { patterns: [{ ...registry, required: false }], tonight, lastGood: [] };
  t.match(await readBestCopy(own, [], read), { result: 'read' });
  const shared = { ...own, patterns: [{ ...registry, required: false, shared: true as const }] };
  t.equal(await readBestCopy(shared, [], read), undefined, 'nothing of the feed is there');
});

t.test('what is no fault of a file is thrown', async (t) => {
  const refusals: ManifestRefusal[] = [];
  const read = (): Promise<never> => Promise.reject(new Error('disk full'));
  const snapshots = { patterns: PATTERNS, tonight: [file('db_2.zip', 0, 'new')], lastGood: [] };
  await t.rejects(readBestCopy(snapshots, refusals, read), /disk full/);
});
