import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { OpenFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { Tally } from '../input/tally.js';
import { loadRib } from './rib.js';
import { RIB } from './rib-source.js';
import { peerIndexTable, record, rib, TIME, u8 } from './testing/mrt-bytes.js';
import { ribLines } from './testing/rib-lines.js';
import { countsOf } from './testing/route-lines.js';
import { filesOf, tryRib } from './testing/rib-trial.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A dump of one prefix by one peer, which identifies the collector. */
function dump(asn: number, { hours = 0, bad = 0, records = 1 } = {}): Buffer {
  const bytes = Buffer.concat([
    peerIndexTable([{ address: '192.0.2.1', asn }]),
    ...Array.from({ length: records }, (_, i) => {
      return rib(`10.${i >> 8}.${i & 255}.0/24`, [{ peer: i < bad ? 1 : 0, path: `${asn} 7` }]);
    }),
  ]);
  bytes.writeUInt32BE(TIME + hours * HOUR, 0);
  return bytes;
}

const gz = (bytes: Buffer): Buffer => gzipSync(bytes);

t.test('the newest dump in each collector’s folder is read', async (t) => {
  const files = filesOf(t, {
    'route-views2/rib.20140523.0600.gz': gz(dump(3, { hours: 1 })),
    'rrc00/bview.20140522.1600.gz': gz(dump(1, { hours: -16 })),
    'rrc00/bview.20140523.0000.gz': gz(dump(2)),
    'rrc00/bview.20140523.0800.gz': gz(dump(9, { hours: -8 })),
    'rib.20140523.0600.mine.gz': gz(dump(4)),
  });
  const { rib: found, tallies, logged } = await tryRib(files);
  t.strictSame(found.collectors.names, ['rib', 'route-views2', 'rrc00']);
  t.strictSame([...found.collectors.times], [TIME, TIME + HOUR, TIME]);
  t.strictSame([...found.peers.asns], [4, 3, 2]);
  t.strictSame([...found.peers.collectors], [0, 1, 2]);
  t.equal(tallies['rrc00/bview.20140523.0000.gz']!.accepted, 2);
  t.equal(tallies['rrc00/bview.20140522.1600.gz']!.rows, 0);
  t.strictSame(logged, [
    'rib/rrc00/bview.20140522.1600.gz skipped: rib/rrc00/bview.20140523.0000.gz is newer',
    'rib/rrc00/bview.20140523.0800.gz skipped: rib/rrc00/bview.20140523.0000.gz is newer',
  ]);
});

t.test('looking for the newest dump does not count as reading a file', async (t) => {
  const read: string[] = [];
  const files = filesOf(t, {
    'rrc00/bview.20140523.0000.gz': gz(dump(2)),
    'rrc00/bview.20140523.0800.gz': gz(dump(2, { hours: 8 })),
  }).map((file): OpenFile => ({ ...file, onRead: () => read.push(file.name) }));
  await tryRib(files);
  t.strictSame([...new Set(read)], ['rrc00/bview.20140523.0800.gz']);
});

t.test('two dumps of one collector and one time are both read, repeated routes are dropped', async (t) => {
  const { rib: found, tallies } = await tryRib(
    filesOf(t, {
      'rrc00/bview.20140523.0000.gz': gz(dump(2, { records: 3 })),
      'rrc00/latest-bview.gz': gz(dump(2, { records: 2 })),
    }),
  );
  t.strictSame(found.collectors.names, ['rrc00']);
  t.equal(ribLines(found).length, 3);
  t.equal(tallies['rrc00/latest-bview.gz']!.notes.duplicate, 2);
});

async function refusalsOf(files: readonly OpenFile[], now?: Date): Promise<readonly FeedError[]> {
  try {
    await tryRib(files, now);
    return [];
  } catch (error) {
    if (error instanceof FeedError) return [error];
    if (error instanceof RefusedFiles) return error.refusals;
    throw error;
  }
}

t.test('a dump of a retired collector that is days old is rejected', async (t) => {
  const files = (t: Test): OpenFile[] =>
    filesOf(t, {
      'rrc00/latest-bview.gz': gz(dump(1)),
      'rrc01/latest-bview.gz': gz(dump(2, { hours: -72 })),
      'rrc02/latest-bview.gz': gz(dump(3, { hours: -73 })),
    });
  const [stale, ...others] = await refusalsOf(files(t));
  t.match(stale, {
    refusal: 'stale',
    file: 'rib/rrc02/latest-bview.gz',
    found: 'the dump is from 2014-05-20 05:00, more than 3 days from 2014-05-23 06:00',
  });
  t.equal(others.length, 0);
  const late = await refusalsOf(files(t), new Date((TIME + DAY) * 1000));
  t.strictSame(
    late.map(({ file, refusal }) => `${file} ${refusal}`),
    ['rib/rrc01/latest-bview.gz stale', 'rib/rrc02/latest-bview.gz stale'],
  );
  t.equal((await refusalsOf(files(t), new Date((TIME - 4 * DAY) * 1000))).length, 1, 'also from the future');
});

t.test('all unusable dumps are reported together', async (t) => {
  const whole = dump(1, { records: 5 });
  const packed = gz(whole);
  const refusals = await refusalsOf(
    filesOf(t, {
      'a/latest-bview.gz': packed.subarray(0, packed.length - 9),
      'b/latest-bview.gz': gz(whole.subarray(0, whole.length - 1)),
      'c/latest-bview.gz': Buffer.from('<html>404</html>'),
      'd/latest-bview.gz': gz(Buffer.alloc(0)),
      'e/latest-bview.gz': gz(Buffer.concat([whole, Buffer.alloc(40)])),
      'f/latest-bview.gz': gz(record(16, 4, u8(1, 2, 3))),
      'g/latest-bview.gz': gz(dump(1, { records: 2_000, bad: 3 })),
      'h/latest-bview.gz': gz(dump(1, { records: 2_000, bad: 2 })),
    }),
  );
  t.strictSame(
    refusals.map(({ file, refusal, found }) => `${file.charAt(4)} ${refusal}: ${found}`),
    [
      'a truncated: damaged gzip: unexpected end of file',
      `b truncated: at byte ${whole.length - rib('10.0.4.0/24', [{ peer: 0, path: '1 7' }]).length}: the last record is incomplete: the dump has 53 bytes of it`,
      'c container: expected a gzip file, found an HTML page: "<html>404</html>"',
      'd truncated: the dump is empty',
      `e header: at byte ${whole.length}: not an MRT record: unknown type 0`,
      'f header: none of its 1 MRT records contains routes',
      'g tolerance: 3 of 2001 records are bad (peer-index 3), allowed: 0.1 %',
    ],
  );
});

t.test('one bad record in a thousand is counted and tolerated', async (t) => {
  const { rib: found, tallies } = await tryRib(
    filesOf(t, { 'a/latest-bview.gz': gz(dump(1, { records: 2_000, bad: 2 })) }),
  );
  t.equal(ribLines(found).length, 1_998);
  t.match(countsOf(tallies['a/latest-bview.gz']!), { accepted: 1_999, rejected: 2 });
});

t.test('the source saves the RIB as columns', async (t) => {
  const files = filesOf(t, { 'rrc00/latest-bview.gz': gz(dump(1, { records: 3 })) });
  const dir = t.testdir({});
  // The folder of the files was the same one.
  await t.rejects(RIB.normalise(files, { dir, tallyOf: () => new Tally(), log: () => undefined }), {
    code: 'ENOENT',
  });
  const again = filesOf(t, { 'rrc00/latest-bview.gz': gz(dump(1, { records: 3 })) });
  await RIB.normalise(again, { dir, tallyOf: () => new Tally(), log: () => undefined });
  t.strictSame(readdirSync(dir).filter((name) => name.endsWith('.columns')).length, 5);
  t.equal(ribLines(loadRib(dir)).length, 3);
});

t.test('every publisher’s file name matches exactly one pattern', (t) => {
  const patternsOf = (name: string): number =>
    RIB.files.filter((file) => matchesName(file.name, name)).length;
  for (const name of [
    'rrc00/bview.20261121.0000.gz',
    'rrc00/latest-bview.gz',
    'route-views2/rib.20261121.0600.bz2',
    'bview.20020722.2337.gz',
    'rib.20140523.0600.whole-records.gz',
    'rib.20140523.0600.slice.bz2',
  ]) {
    t.equal(patternsOf(name), 1, name);
  }
  for (const name of ['rrc00/updates.20261121.0000.gz', 'rrc00/x/latest-bview.gz', 'latest-bview.gz']) {
    t.equal(patternsOf(name), 0, name);
  }
  t.end();
});
