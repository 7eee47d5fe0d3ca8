import { RESERVED_SPACE_VERSION } from '../table/reserved-space.js';
import t from 'tap';
import { exampleInput } from '../release/testing/example-release.js';
import { cachedGazetteerOf, keptReadingOf, keyOfReading, readingDir } from './cache-places.js';
import { keyOfFiles } from './inputs.js';

const FILES = [{ id: 'tor/torbulkexitlist', sha256: 'ab' }];

t.test('what was kept of a list before its days had a version is not looked at', (t) => {
  const versionless = keyOfFiles('tor 1', FILES);
  t.not(keyOfReading('tor', 1, FILES), versionless);
  t.equal(
    keyOfReading('tor', 1, FILES),
    keyOfFiles(`tor 1 days 1 reserved ${RESERVED_SPACE_VERSION}`, FILES),
  );
  t.not(keyOfReading('tor', 2, FILES), keyOfReading('tor', 1, FILES));
  t.end();
});

t.test('feeds and routing sources keep no days', (t) => {
  for (const id of ['dbip', 'rib'])
    t.equal(keyOfReading(id, 3, FILES), keyOfFiles(`${id} 3 reserved ${RESERVED_SPACE_VERSION}`, FILES), id);
  t.end();
});

t.test('what a release was made from is found where it was kept', (t) => {
  const input = exampleInput('tor', 5);
  const key = keyOfReading('tor', input.adapterVersion, input.files);
  t.equal(keptReadingOf('/output', input), readingDir('/output', 'tor', key));
  t.equal(keptReadingOf('/output', { ...input, files: [] }), undefined);
  t.equal(cachedGazetteerOf('/output', [input]), undefined);
  t.end();
});
