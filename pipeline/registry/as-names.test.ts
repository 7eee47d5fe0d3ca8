import t from 'tap';
import { AS_NAMES, loadAsNames } from './as-names.js';
import { cutsThatPass, refusalsOf, tryContents } from './testing/source-trial.js';

const LINES = [
  '0 -Reserved AS-, ZZ',
  '7 DSTL, EU',
  '2277 ECUANET - CORPORACION - A, EC',
  '2278 NOBODY -, EC',
  '4134 CHINANET-BACKBONE No.31,Jin-rong Street, CN',
  '7303 Telecom Argentina S.A., AR',
  '9929 CUII CHINA UNICOM Industrial Internet Backbone, CN',
  '12480 ASILK , DE',
  '20652 UNITRON-AS Shropshire, UK, GB',
  '210356 BATTLEHOST BattleHost, BR',
  '23255 H3G-AUSTRIA-AS  TELE2 AUSTRIA , AT',
  '44082 AS-, ZZ',
  '49067 , TR',
  '64512 -Private Use AS-, ZZ',
  '4294967295 LAST, uk',
];
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

t.test('the first word is the name, the rest the entity, the last two letters the country', async (t) => {
  const trial = await tryContents(t, AS_NAMES, { 'asn.txt': text(LINES) });
  const names = loadAsNames(trial.dir);
  t.same(names.nameOf(4134), {
    name: 'CHINANET-BACKBONE',
    entity: 'No.31,Jin-rong Street',
    country: 'CN',
  });
  t.same(names.nameOf(20652), { name: 'UNITRON-AS', entity: 'Shropshire, UK', country: 'GB' });
  t.same(names.nameOf(2277), { name: 'ECUANET', entity: 'CORPORACION - A', country: 'EC' });
  t.same(names.nameOf(2278), { name: 'NOBODY', country: 'EC' });
  t.same(names.nameOf(7303), { name: 'Telecom Argentina S.A.', country: 'AR' });
  t.same(names.nameOf(210356), { name: 'BATTLEHOST', entity: 'BattleHost', country: 'BR' });
  t.same(names.nameOf(12480), { name: 'ASILK', country: 'DE' });
  t.same(names.nameOf(23255), { name: 'H3G-AUSTRIA-AS', entity: 'TELE2 AUSTRIA', country: 'AT' });
  t.same(names.nameOf(4294967295), { name: 'LAST', country: 'GB' });
});

t.test('region codes and placeholder names are absent', async (t) => {
  const trial = await tryContents(t, AS_NAMES, { 'asn.txt': text(LINES) });
  const names = loadAsNames(trial.dir);
  t.same(names.nameOf(7), { name: 'DSTL' });
  for (const asn of [0, 44082, 49067, 64512, 1]) t.equal(names.nameOf(asn), undefined);
  t.same([...names.asns], [7, 2277, 2278, 4134, 7303, 9929, 12480, 20652, 23255, 210356, 4294967295]);
  t.equal(trial.tally('asn.txt').rows, LINES.length);
  t.same(trial.tally('asn.txt').notes, { unknown: 4 });
});

t.test('bad lines are rejected with their reason', async (t) => {
  const lines = [
    'one, US',
    '1 NO-COUNTRY',
    '4294967296 TOO-MUCH, US',
    '2 GONE, AN',
    '3 FINE, US',
    '',
    ' 4 X, US',
  ];
  const trial = await tryContents(t, AS_NAMES, { 'asn.txt': text(lines) });
  t.same(trial.rejections('asn.txt'), ['asn@3', 'columns@1', 'columns@2', 'columns@7', 'country@4']);
  t.same([...loadAsNames(trial.dir).asns], [3]);
});

t.test('the first line about an AS number counts, asn.txt before asnames.txt', async (t) => {
  const trial = await tryContents(t, AS_NAMES, {
    'asnames.txt': text(['1 OLD, US', '2 TWO, US']),
    'asn.txt': text(['1 NEW, US', '1 NEW, US', '1 NEWER, US']),
  });
  const names = loadAsNames(trial.dir);
  t.equal(names.nameOf(1)?.name, 'NEW');
  t.equal(names.nameOf(2)?.name, 'TWO');
  t.same(trial.tally('asn.txt').notes, { duplicate: 1, conflict: 1 });
  t.same(trial.tally('asnames.txt').notes, { conflict: 1 });
});

t.test('BOM and CRLF are accepted, a Latin-1 line is rejected', async (t) => {
  const bytes = Buffer.from(`\u00ef\u00bb\u00bf1 ONE, US\r\n2 CAF\u00c9, FR\r\n3 THREE, US\r\n`, 'latin1');
  const trial = await tryContents(t, AS_NAMES, { 'asn.txt': bytes });
  t.same([...loadAsNames(trial.dir).asns], [1, 3]);
  t.same(trial.rejections('asn.txt'), ['encoding@2']);
});

t.test('a file cut inside a line is refused', async (t) => {
  const whole = Buffer.from(text(LINES.slice(5, 7)));
  const passed = await cutsThatPass(t, AS_NAMES, {
    name: 'asn.txt',
    whole,
    read: ({ dir }) => [...loadAsNames(dir).asns],
  });
  t.same(passed, [whole.indexOf('\n') + 1], 'a cut between two lines is undetectable');
});

t.test('an HTML page, an empty file and the absence of files are refused', async (t) => {
  const page = '<html><head><title>404</title></head></html>';
  t.same(await refusalsOf(tryContents(t, AS_NAMES, { 'asn.txt': page })), ['container asnames/asn.txt']);
  t.same(await refusalsOf(tryContents(t, AS_NAMES, { 'asn.txt': '' })), ['truncated asnames/asn.txt']);
  t.same(await refusalsOf(tryContents(t, AS_NAMES, {})), ['missing asnames']);
});
