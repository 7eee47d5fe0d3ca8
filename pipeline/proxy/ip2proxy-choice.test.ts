import { join } from 'node:path';
import t from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { parseDay } from '../lists/days.js';
import { chooseFiles, dateFile, type DatedFile } from './ip2proxy-choice.js';
import { productFileOf } from './ip2proxy-files.js';

const PATH = join(PROJECT_ROOT, 'fixtures/feeds/ip2proxy/IP2PROXY-LITE-PX12.CSV.ZIP');

/** A file of this name that is dated so many days after some day. */
function dated(name: string, day: number | undefined): DatedFile {
  const is = productFileOf(name)!;
  return { file: { ...openFileAt(PATH, 'zip'), id: `ip2proxy/${name}`, name }, is, day };
}

/** Names of the files that are chosen. */
function choice(...files: DatedFile[]): string[] {
  const { chosen, left } = chooseFiles(files);
  t.equal(chosen.length + left.length, files.length, 'each file is answered for');
  return chosen.map(({ file }) => file.name);
}

const LITE11 = 'IP2PROXY-LITE-PX11.CSV.ZIP';
const LITE12 = 'IP2PROXY-LITE-PX12.CSV.ZIP';
const LITE12_V6 = 'IP2PROXY-LITE-PX12.IPV6.CSV.ZIP';
const LITE12_PLAIN = 'IP2PROXY-LITE-PX12.CSV';
const PAID2 = 'IP2PROXY-PX2.CSV.ZIP';
const PAID2_PLAIN = 'IP2PROXY-PX2.CSV';

t.test('of each family the newest snapshot is chosen, of one day the richest', (t) => {
  t.same(choice(dated(LITE11, 8), dated(LITE12, 8), dated(LITE12_V6, 2)), [LITE12, LITE12_V6]);
  t.same(choice(dated(LITE11, 9), dated(LITE12, 8)), [LITE11]);
  t.same(choice(dated(LITE12_PLAIN, undefined), dated(LITE11, 8)), [LITE11], 'a known day beats none');
  t.same(choice(dated(LITE12, 8), dated(LITE12_V6, 8)), [LITE12, LITE12_V6]);
  t.same(choice(), []);
  t.end();
});

t.test('a commercial snapshot is preferred while it is under 30 days older', (t) => {
  t.same(choice(dated(LITE12, 108), dated(PAID2, 79)), [PAID2]);
  t.same(choice(dated(LITE12, 108), dated(PAID2, 78)), [LITE12]);
  t.same(choice(dated(LITE12, 108), dated(PAID2_PLAIN, undefined)), [PAID2_PLAIN]);
  t.same(choice(dated(PAID2_PLAIN, undefined), dated(PAID2, 90), dated(LITE12, 99)), [PAID2]);
  t.end();
});

t.test('a zip is dated by its table, which does not count as reading it', async (t) => {
  let bytes = 0;
  const file = openFileAt(PATH, 'zip', (more) => (bytes += more));
  const { day } = await dateFile(file, productFileOf(file.name)!);
  t.equal(day, parseDay('2026-11-17'));
  t.equal(bytes, 0);
});

t.test('a name that the publisher does not use tells nothing', (t) => {
  for (const name of [
    'IP2PROXY-LITE-PX13.CSV',
    'IP2PROXY-LITE-PX0.CSV',
    'ip2proxy-lite-px2.csv',
    'PX2.BIN.ZIP',
  ])
    t.equal(productFileOf(name), undefined, name);
  t.end();
});
