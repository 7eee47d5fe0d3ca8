import t from 'tap';
import type { DatasetFile } from '../release/snapshot.js';
import { etagOf, isNotModified, isSameFile, lastModifiedOf } from './conditions.js';

const file: DatasetFile = {
  path: 'geo.mmdb',
  type: 'ipatlas-City',
  filename: 'ipatlas-geo-20261121.mmdb',
  sizeBytes: 10,
  modified: 1_795_230_000,
  sha256: 'a'.repeat(64),
  buildEpoch: 1_795_230_000,
  nodeCount: 1,
  ipVersion: 6,
  languages: ['en'],
};
const other = `"${'b'.repeat(64)}"`;

t.test('decision 40: If-None-Match matches the sha256 in a list, as a weak tag, or as *', (t) => {
  for (const tags of [etagOf(file), `${other}, ${etagOf(file)}`, `W/${etagOf(file)}`, '*']) {
    t.ok(isNotModified({ 'if-none-match': tags }, file), tags);
  }
  for (const tags of [other, file.sha256, '', '""']) {
    t.notOk(isNotModified({ 'if-none-match': tags }, file), tags);
  }
  t.end();
});

t.test('If-Modified-Since is ignored if a tag was sent', (t) => {
  const since = { 'if-modified-since': lastModifiedOf(file) };
  t.ok(isNotModified(since, file));
  t.notOk(isNotModified({ ...since, 'if-none-match': other }, file));
  t.notOk(isNotModified({ 'if-modified-since': new Date(1000).toUTCString() }, file));
  t.notOk(isNotModified({ 'if-modified-since': 'yesterday' }, file));
  t.notOk(
    isNotModified({ 'if-modified-since': `${lastModifiedOf(file)} (${'a'.repeat(64)})` }, file),
    'too long',
  );
  t.notOk(isNotModified({}, file));
  t.end();
});

t.test('decision 40: If-Range with another file, a weak tag or another time gives the whole file', (t) => {
  t.ok(isSameFile({}, file));
  t.ok(isSameFile({ 'if-range': etagOf(file) }, file));
  t.ok(isSameFile({ 'if-range': lastModifiedOf(file) }, file));
  for (const condition of [other, `W/${etagOf(file)}`, new Date(0).toUTCString(), 'x']) {
    t.notOk(isSameFile({ 'if-range': condition }, file), condition);
  }
  t.end();
});
