import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { SPAMHAUS } from './spamhaus.js';
import { fixtureBytes, refuses, wholeOrRefused } from './testing/hostile-files.js';

const V4 = 'spamhaus/drop_v4.json';
const V6 = 'spamhaus/drop_v6.json';
const ASNS = 'spamhaus/asndrop.json';
/** 2026-11-16. */
const DAY = 20_773;
const SPAM = { threats: ['SPAM'], lastSeen: DAY };

/** Creates a file of these rows, with their number in the last line. */
function fileOf(rows: readonly (string | object)[], metadata: object = {}): string {
  const last = { type: 'metadata', timestamp: 1_794_844_800, records: rows.length, ...metadata };
  const texts = [...rows, last].map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  return `${texts.join('\n')}\n`;
}

t.test('netblocks of both families are a threat and no type, dated by the metadata', async (t) => {
  const { claimAt, claims, tally, log } = await tryFiles(SPAMHAUS, [V4, V6, ASNS]);
  t.same(tally(V4), { accepted: 5, rejected: 0, rejections: {}, notes: {} });
  t.same(tally(V6), { accepted: 2, rejected: 0, rejections: {}, notes: {} });
  t.same(claims, [SPAM]);
  t.same(claimAt('38.18.13.200'), SPAM);
  t.same(claimAt('2c0e:7800:bad::1'), SPAM, 'an escaped slash');
  t.equal(claimAt('38.18.14.1'), undefined);
  t.equal(log[0], `${V4}: 5 rows of 2026-11-16, (c) 2026 The Spamhaus Project SLU`);
});

t.test('autonomous systems are inserted as such, also with a time in milliseconds', async (t) => {
  const { asns, table, tally } = await tryFiles(SPAMHAUS, [ASNS]);
  t.same(tally(ASNS), { accepted: 2, rejected: 0, rejections: {}, notes: {} });
  t.same(
    [...asns],
    [
      [245, SPAM],
      [2386, SPAM],
    ],
  );
  t.equal(table.networkCount(), 0);
});

t.test('the licence asks for the copyright line', (t) => {
  t.match(SPAMHAUS.licence.attribution, /© The Spamhaus Project/);
  t.end();
});

t.test('invalid rows are rejected, including reserved and private AS numbers', async (t) => {
  const cidrs = ['5.9.0.0/24', '2a0d:5600::/48', '10.0.0.0/24', '5.9.1.300/24'].map((cidr) => ({ cidr }));
  const numbers = [0, 23_456, 64_512, 4_200_000_000, 4_294_967_296, -5, 3_356, 3_356].map((asn) => ({ asn }));
  const { rejections, tally } = await tryContents(t, SPAMHAUS, {
    [V4]: fileOf([...cidrs, '{"cidr":', { sblid: 'SBL1' }, '[]']),
    [V6]: fileOf([{ cidr: '5.9.0.0/24' }]),
    [ASNS]: fileOf([...numbers, { asn: '3356' }, { asn: 1.5 }]),
  });
  t.same(rejections(V4), ['address@4', 'family@2', 'json@5', 'json@6', 'json@7', 'reserved@3']);
  t.same(rejections(V6), ['family@1']);
  t.same(rejections(ASNS), ['asn@1', 'asn@2', 'asn@3', 'json@10', 'json@9']);
  t.equal(tally(ASNS).rejections.asn!.count, 6);
  t.same(tally(ASNS).notes, { duplicate: 1 });
});

t.test('a line that is not UTF-8 is one bad row', async (t) => {
  const text = fileOf([{ cidr: '5.9.0.0/24' }, '{"cidr":"\xff"}']);
  const { rejections, tally } = await tryContents(t, SPAMHAUS, { [V4]: Buffer.from(text, 'latin1') });
  t.same(rejections(V4), ['json@2']);
  t.equal(tally(V4).accepted, 1);
});

t.test('a file with another number of rows than in its metadata is refused', async (t) => {
  const rows = [{ cidr: '5.9.0.0/24' }, { cidr: '5.9.1.0/24' }];
  await refuses(t, SPAMHAUS, { id: V4, bytes: fileOf(rows, { records: 3 }), refusal: 'truncated' });
  await refuses(t, SPAMHAUS, { id: V4, bytes: fileOf(rows, { records: 1 }), refusal: 'truncated' });
  await refuses(t, SPAMHAUS, { id: V4, bytes: fileOf(rows) + fileOf(rows), refusal: 'truncated' });
  await refuses(t, SPAMHAUS, { id: V4, bytes: '{"cidr":"5.9.0.0/24"}\n', refusal: 'truncated' });
  await refuses(t, SPAMHAUS, { id: V4, bytes: '', refusal: 'truncated' });
});

t.test('metadata with a time that a claim cannot store is invalid', async (t) => {
  for (const timestamp of [-1, 9e15, 9_999_999_999, '1794844800']) {
    await refuses(t, SPAMHAUS, { id: V4, bytes: fileOf([], { timestamp }), refusal: 'truncated' });
  }
});

t.test('a file truncated anywhere except before the last line end is refused', async (t) => {
  for (const id of [V4, V6, ASNS])
    t.same(await wholeOrRefused(t, SPAMHAUS, id), [fixtureBytes(id).length - 1]);
});

t.test('HTML pages and prefixes that are too wide are refused', async (t) => {
  await refuses(t, SPAMHAUS, { id: V4, bytes: '<html></html>', refusal: 'container' });
  await refuses(t, SPAMHAUS, { id: V4, bytes: fileOf([{ cidr: '4.0.0.0/7' }]), refusal: 'too-wide' });
  await refuses(t, SPAMHAUS, { id: V6, bytes: fileOf([{ cidr: '2a00::/12' }]), refusal: 'too-wide' });
});

t.test('the real files are read without rejected rows', { skip: withoutReal([V4, ASNS]) }, async (t) => {
  const { tally, asns, claimAt } = await tryFiles(SPAMHAUS, [V4, ASNS], REAL_FILES);
  t.match(tally(V4), { accepted: 1_699, rejected: 0 });
  t.match(tally(ASNS), { accepted: 439, rejected: 0 });
  t.equal(asns.size, 439);
  t.match(claimAt('1.10.16.1'), { threats: ['SPAM'], type: undefined });
});
