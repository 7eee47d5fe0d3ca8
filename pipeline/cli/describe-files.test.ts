import t from 'tap';
import type { ManifestInput, ManifestInputFile } from '../release/contract.js';
import { badRowLines, ownershipLines, rejectionLines } from './describe-files.js';

function file(id: string, about: Partial<ManifestInputFile>): ManifestInputFile {
  const digest = {
    sha256: '0'.repeat(64),
    sizeBytes: 1,
    modified: '2026-11-19T00:00:00.000Z',
    lastGood: false,
  };
  const counts = { rows: 9, accepted: 9, rejected: 0, rejections: {}, notes: {} };
  return { id, ...digest, ...counts, ...about };
}

function own(files: readonly ManifestInputFile[]): ManifestInput {
  const licence = { name: 'CC0', url: 'https://example.net/', terms: 'free' } as const;
  return { feed: 'own', publisher: 'us', licence, adapterVersion: 1, files: [...files], refusals: [] };
}

t.test('the rows of geofeeds are counted inside and outside of their blocks', (t) => {
  const lines = ownershipLines(
    own([
      file('own/geofeeds-found/a.csv', {
        notes: { 'not-referenced': 2, 'partly-referenced': 1, unknown: 1 },
      }),
      file('own/geofeeds-found/b.csv', {}),
      file('own/geofeeds/listed.csv', { notes: { 'not-referenced': 4 } }),
      file('own/geofeeds/other.csv', {}),
      file('own/overrides.csv', {}),
    ]),
  );
  t.same(lines, [
    '  own: rows of 3 geofeeds in blocks whose registration names them: inside 19, partly 1, outside 6',
    '    own/geofeeds/listed.csv: inside 5, partly 0, outside 4',
    '    own/geofeeds-found/a.csv: inside 5, partly 1, outside 2',
  ]);
  t.same(ownershipLines(own([file('own/overrides.csv', {})])), []);
  t.end();
});

t.test('of many files with rejected rows, those with the most are described', (t) => {
  const files = Array.from({ length: 25 }, (_, n) => {
    const rejections = { address: { count: n + 1, examples: [{ position: 3, excerpt: 'x' }] } };
    return file(`own/geofeeds-found/${String(n).padStart(2, '0')}.csv`, { rejected: n + 1, rejections });
  });
  const lines = rejectionLines(own(files));
  t.equal(lines.length, 21);
  t.equal(lines[0], '  own/geofeeds-found/05.csv: address 6; first at 3: x');
  t.equal(lines.at(-1), '  5 more files with 15 rejected rows');
  t.end();
});

t.test('every bad row of a file that is written by hand is a line, in the order of the file', (t) => {
  const rejections = {
    country: { count: 1, examples: [{ position: 9, excerpt: '8.8.8.0/24,XX' }] },
    address: { count: 3, examples: [4, 12].map((position) => ({ position, excerpt: '8.8.8/24' })) },
  };
  const bad = { rejected: 4, rejections };
  t.same(badRowLines(own([file('own/geofeeds/a.csv', bad), file('own/overrides.csv', bad)])), [
    'BAD ROW own/overrides.csv line 4: address: 8.8.8/24',
    'BAD ROW own/overrides.csv line 9: country: 8.8.8.0/24,XX',
    'BAD ROW own/overrides.csv line 12: address: 8.8.8/24',
    'BAD ROW own/overrides.csv: 1 more',
  ]);
  t.end();
});
