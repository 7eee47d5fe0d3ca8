import { join } from 'node:path';
import t from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseDay } from '../days.js';
import { chooseFiles, dateFile, type DatedFile } from './ip2proxy-choice.js';
import { productFileOf } from './ip2proxy-files.js';

const PATH = join(PROJECT_ROOT, 'fixtures/feeds/ip2proxy/IP2PROXY-LITE-PX12.CSV.ZIP');

/** Creates a file with this name and day. */
function dated(name: string, day: number | undefined): DatedFile {
  const is = productFileOf(name)!;
  return { file: { ...openFileAt(PATH, 'zip'), id: `ip2proxy/${name}`, name }, is, day };
}

/** Returns the names of the chosen files. */
function choice(...files: DatedFile[]): string[] {
  const { chosen, left } = chooseFiles(files);
  t.equal(chosen.length + left.length, files.length, 'every file is chosen or left');
  return chosen.map(({ file }) => file.name);
}

const LITE11 = 'IP2PROXY-LITE-PX11.CSV.ZIP';
const LITE12 = 'IP2PROXY-LITE-PX12.CSV.ZIP';
const LITE12_V6 = 'IP2PROXY-LITE-PX12.IPV6.CSV.ZIP';
const LITE12_PLAIN = 'IP2PROXY-LITE-PX12.CSV';
const PAID2 = 'IP2PROXY-PX2.CSV.ZIP';
const PAID2_PLAIN = 'IP2PROXY-PX2.CSV';

t.test(
  'the newest file of each family is chosen, and among files of one day the one with the most columns',
  (t) => {
    t.same(choice(dated(LITE11, 8), dated(LITE12, 8), dated(LITE12_V6, 2)), [LITE12, LITE12_V6]);
    t.same(choice(dated(LITE11, 9), dated(LITE12, 8)), [LITE11]);
    t.same(
      choice(dated(LITE12_PLAIN, undefined), dated(LITE11, 8)),
      [LITE11],
      'a file with a day is preferred to one without',
    );
    t.same(choice(dated(LITE12, 8), dated(LITE12_V6, 8)), [LITE12, LITE12_V6]);
    t.same(choice(), []);
    t.end();
  },
);

t.test('a commercial file is preferred while it is less than 30 days older', (t) => {
  t.same(choice(dated(LITE12, 108), dated(PAID2, 79)), [PAID2]);
  t.same(choice(dated(LITE12, 108), dated(PAID2, 78)), [LITE12]);
  t.same(choice(dated(LITE12, 108), dated(PAID2_PLAIN, undefined)), [PAID2_PLAIN]);
  t.same(choice(dated(PAID2_PLAIN, undefined), dated(PAID2, 90), dated(LITE12, 99)), [PAID2]);
  t.end();
});

t.test('a zip has the date of its table, without reporting progress', async (t) => {
  let bytes = 0;
  const file = openFileAt(PATH, 'zip', (more) => (bytes += more));
  const { day } = await dateFile(file, productFileOf(file.name)!);
  t.equal(day, parseDay('2026-11-17'));
  t.equal(bytes, 0);
});

t.test('an unknown file name gives no product', (t) => {
  for (const name of [
    'IP2PROXY-LITE-PX13.CSV',
    'IP2PROXY-LITE-PX0.CSV',
    'ip2proxy-lite-px2.csv',
    'PX2.BIN.ZIP',
  ])
    t.equal(productFileOf(name), undefined, name);
  t.end();
});
