import t from 'tap';
import { FeedError } from '../../input/feed-error.js';
import { tryContents, type Trial } from '../testing/own-trial.js';

const FILE = 'rir/delegated-apnic-extended-latest';

/** Creates valid statistics: a version line and summaries with the right counts. */
function statistics(records: readonly string[], version = '2.3|apnic|20260505'): string {
  const types = ['asn', 'ipv4', 'ipv6'];
  const counts = types.map((type) => records.filter((record) => record.split('|')[2] === type).length);
  const summaries = types.map((type, index) => `apnic|*|${type}|*|${counts[index]!}|summary`);
  return [`${version}|${records.length}||20260505|+1000`, ...summaries, ...records].join('\n') + '\n';
}

const read = (root: string, content: string | Buffer): Promise<Trial> =>
  tryContents(root, { [FILE]: content });

const RECORDS = [
  'apnic|JP|asn|173|1|20020801|allocated|A91E66F2',
  'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED',
  'apnic||ipv4|14.192.48.0|2048||reserved|',
  'apnic||ipv4|27.0.156.0|1024||available',
  'apnic|AP|ipv4|146.88.19.0|256|19910128|allocated|A91B264B',
  'apnic|JP|ipv6|2001:200::|35|00000000|allocated|A916B6AA|x|y',
];

t.test('allocated and assigned address records give the country of registration', async (t) => {
  const trial = await read(t.testdir(), statistics(RECORDS));
  t.same(trial.claimAt('1.1.1.1'), { country: 'AU', registeredCountry: 'AU', basis: 'registration' });
  t.equal(trial.claimAt('2001:200::1')?.country, 'JP');
  t.equal(trial.networkCount, 4);
});

t.test(
  'AS numbers and areas instead of countries give no claim, free space that it is not delegated',
  async (t) => {
    const trial = await read(t.testdir(), statistics(RECORDS));
    t.equal(trial.tally(FILE).rows, 6);
    t.equal(trial.tally(FILE).accepted, 6);
    t.same(trial.tally(FILE).notes, { unknown: 2, 'not-delegated': 2 });
    for (const free of ['14.192.55.255', '27.0.156.0']) {
      t.same(trial.claimAt(free), { basis: 'not-delegated' }, free);
    }
  },
);

t.test('free space of statistics much older than the newest ones is ignored', async (t) => {
  const other = 'rir/delegated-afrinic-extended-latest';
  const statisticsOf = (day: string) => statistics(RECORDS).replace('20260505|+1000', `${day}|+1000`);
  const afrinic = statistics(['afrinic|ZZ|ipv4|102.192.0.0|524288||available|']).replaceAll(
    'apnic|',
    'afrinic|',
  );
  for (const [day, isBelieved] of [
    ['20260604', true],
    ['20260605', false],
    ['20160131', true],
    ['', true],
  ] as const) {
    const trial = await tryContents(t.testdir(), {
      [FILE]: statistics(RECORDS),
      [other]: afrinic.replace('20260505|+1000', `${day}|+1000`),
    });
    t.equal(trial.claimAt('27.0.156.0') !== undefined, isBelieved, `the newest is of ${day}`);
    t.match(trial.claimAt('1.1.1.1'), { country: 'AU' });
  }
  for (const day of ['', '2026-05-05', '20260231', '00000000']) {
    const trial = await read(t.testdir(), statisticsOf(day));
    t.equal(trial.claimAt('27.0.156.0'), undefined, `a file without a date: "${day}"`);
    t.same(trial.tally(FILE).notes, { unknown: 4 });
  }
});

t.test('bad rows of free space are rejected', async (t) => {
  const records = [
    'apnic||ipv4|1.0.0.256|256||available|',
    'apnic||ipv6|2001:200::|129||reserved|',
    'apnic||ipv4|10.0.0.0|256||reserved|',
    'apnic||ipv4|27.0.156.0|1024||available|',
  ];
  const trial = await read(t.testdir(), statistics(records));
  t.same(trial.rejections(FILE).sort(), ['address@5', 'address@6', 'reserved@7']);
  t.equal(trial.tally(FILE).accepted, 1);
});

t.test('an IPv4 value is a number of addresses, not always a power of two', async (t) => {
  const trial = await read(
    t.testdir(),
    statistics([
      'afrinic|ZA|ipv4|196.1.87.0|1280|19931102|assigned',
      'apnic|NZ|ipv4|1.0.4.1|1|19931102|assigned',
      'apnic|AU|ipv4|255.255.255.0|256|19931102|assigned',
    ]),
  );
  t.equal(trial.claimAt('196.1.86.255'), undefined);
  t.equal(trial.claimAt('196.1.87.0')?.country, 'ZA');
  t.equal(trial.claimAt('196.1.91.255')?.country, 'ZA');
  t.equal(trial.claimAt('196.1.92.0'), undefined);
  t.equal(trial.claimAt('1.0.4.1')?.country, 'NZ');
  t.equal(trial.claimAt('1.0.4.2'), undefined);
  t.equal(trial.claimAt('255.255.255.255')?.country, 'AU');
});

t.test('banners, versions 2 to 2.3, serials in seconds and milliseconds are read', async (t) => {
  for (const version of ['2|apnic|1567979999', '2.3|apnic|1567951216119', '2.3|apnic|20160131']) {
    const trial = await read(t.testdir(), `# banner\n#\t"quoted|\n${statistics(RECORDS, version)}`);
    t.equal(trial.tally(FILE).rows, RECORDS.length, version);
  }
});

t.test('every bad row is rejected with its reason and line, and is counted for completeness', async (t) => {
  const records = [
    'apnic|AN|ipv4|1.0.0.0|256|20110811|assigned|A',
    'apnic|XX|ipv6|2001:200::|32|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.256|256|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|/24|20110811|assigned|A',
    'apnic|AU|ipv6|2001:200::|129|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|0|20110811|assigned|A',
    'apnic|AU|ipv4|255.255.255.0|257|20110811|assigned|A',
    'apnic|AU|ipv4|2001:200::|32|20110811|assigned|A',
    'apnic|AU|ipv6|1.0.0.0|24|20110811|assigned|A',
    'apnic|AU|ipv6|1.0.0.0|256|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|256',
    'apnic|AU|ipv4|1.0.0.0|256|20110811|lost|A',
    'apnic|AU|ipv4|10.0.0.0|256|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|256|20110811|assigned|A',
  ];
  const trial = await read(t.testdir(), statistics(records));
  t.same(trial.rejections(FILE).sort(), [
    'address@7',
    'address@8',
    'address@9',
    'columns@15',
    'columns@16',
    'country@5',
    'country@6',
    'family@12',
    'family@13',
    'family@14',
    'inverted@10',
    'inverted@11',
    'reserved@17',
  ]);
  t.equal(trial.tally(FILE).accepted, 1);
  t.equal(trial.tally(FILE).rows, records.length);
});

t.test('bytes that are not UTF-8 affect only their row', async (t) => {
  const content = statistics(['apnic|JP|ipv6|2001:400::|32|20020801|allocated|A', ...RECORDS]);
  const bytes = Buffer.from(content.replace('2001:400::', '2001:400\u00fc'), 'latin1');
  const trial = await read(t.testdir(), bytes);
  t.same(trial.rejections(FILE), ['encoding@5']);
});

t.test('a file that does not begin with a version line is refused', async (t) => {
  const contents = [
    'apnic|*|asn|*|1|summary\n',
    '1|apnic|20260505|0||20260505|+1000\n',
    '3|apnic|20260505|0||20260505|+1000\n',
    '2.3|iana|20260505|0||20260505|+1000\n',
    '2.3|apnic|20260505|many||20260505|+1000\n',
    '2.3|apnic|20260505|0\n',
    '# only a banner\n',
    '{"error":"not found"}\n',
  ];
  for (const content of contents) {
    await t.rejects(
      read(t.testdir(), content),
      { name: 'FeedError', refusal: 'header', file: FILE },
      content,
    );
  }
});

t.test('a file with counts that differ from its records is refused', async (t) => {
  const whole = statistics(RECORDS);
  const contents = {
    'a record is missing': whole.replace(`${RECORDS[1]!}\n`, ''),
    'a duplicate record': whole + `${RECORDS[5]!}\n`,
    'a summary is missing': whole.replace('apnic|*|asn|*|1|summary\n', ''),
    'the version line promises more': whole.replace('|6||', '|7||'),
    'a record changed its type': whole.replace('|asn|', '|ipv4|'),
    'a type without a summary': whole.replace('|asn|173', '|asm|173'),
  };
  for (const [what, content] of Object.entries(contents)) {
    await t.rejects(
      read(t.testdir(), content),
      { name: 'FeedError', refusal: 'truncated', file: FILE },
      what,
    );
  }
});

t.test('a file truncated at any byte gives the same claims or is refused', async (t) => {
  const whole = Buffer.from(statistics([...RECORDS.slice(2, 5), RECORDS[1]!]));
  const wanted = (await read(t.testdir(), whole)).tally(FILE);
  for (let length = 0; length < whole.length; length++) {
    const got = await read(t.testdir(), whole.subarray(0, length)).catch((error: unknown) => error);
    if (got instanceof FeedError) continue;
    if (!(got instanceof Error)) t.same((got as Trial).tally(FILE), wanted, `cut at ${length}`);
    else t.fail(`cut at ${length}: ${String(got)}`);
  }
});
