import { RESERVED_SPACE_VERSION } from '../table/reserved-space.js';
import t from 'tap';
import { exampleInput } from '../release/testing/example-release.js';
import { cachedGazetteerOf, normalisedDirOf, keyOfNormalised, normalisedName } from './cache-paths.js';
import { keyOfFiles } from '../snapshot/input-file.js';

const FILES = [{ id: 'tor/torbulkexitlist', sha256: 'ab' }];

t.test('lists cached by an older format of days are ignored', (t) => {
  const versionless = keyOfFiles('tor 1', FILES);
  t.not(keyOfNormalised('tor', 1, FILES), versionless);
  t.equal(
    keyOfNormalised('tor', 1, FILES),
    keyOfFiles(`tor 1 days 1 reserved ${RESERVED_SPACE_VERSION}`, FILES),
  );
  t.not(keyOfNormalised('tor', 2, FILES), keyOfNormalised('tor', 1, FILES));
  t.end();
});

t.test('feeds and routing sources have no days', (t) => {
  for (const id of ['dbip', 'rib'])
    t.equal(
      keyOfNormalised(id, 3, FILES),
      keyOfFiles(`${id} 3 reserved ${RESERVED_SPACE_VERSION}`, FILES),
      id,
    );
  t.end();
});

t.test('the cached inputs of a release are found', (t) => {
  const input = exampleInput('tor', 5);
  const key = keyOfNormalised('tor', input.adapterVersion, input.files);
  t.equal(normalisedDirOf('/output', input), `/output/cache/${normalisedName('tor', key)}`);
  t.equal(normalisedDirOf('/output', { ...input, files: [] }), undefined);
  t.equal(cachedGazetteerOf('/output', [input]), undefined);
  t.end();
});
