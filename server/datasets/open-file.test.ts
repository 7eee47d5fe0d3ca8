import { join } from 'node:path';
import t from 'tap';
import { Failure } from '../failure.js';
import type { DatasetFile } from '../release/snapshot.js';
import { openDataset } from './open-file.js';

t.test('a file that cannot be opened is a failure whose answer has no details of the file', async (t) => {
  const path = join(t.testdir(), 'geo.mmdb');
  const failure = await openDataset({ path, sizeBytes: 10 } as DatasetFile).catch((error: unknown) => error);
  t.ok(failure instanceof Failure);
  t.match(failure, { code: 500, message: 'cannot read the dataset file' });
  t.same((failure as Failure).fields, {}, 'the cause is not in the body');
  t.match((failure as Failure).cause, { code: 'ENOENT', path }, 'but in the log');
});

t.test('a file of another size is a failure whose answer has no path', async (t) => {
  const path = join(t.testdir({ 'geo.mmdb': '0123' }), 'geo.mmdb');
  const failure = await openDataset({ path, sizeBytes: 10 } as DatasetFile).catch((error: unknown) => error);
  t.ok(failure instanceof Failure);
  t.match(failure, { code: 500, message: 'the dataset file is damaged' });
  t.same((failure as Failure).fields, {});
  t.match((failure as Failure).cause, { message: `${path} has 4 bytes, expected 10` });
});
