import { resolve } from 'node:path';
import t from 'tap';
import { parseStoreAddress } from './store-address.js';

t.test('a bucket with a prefix, and the defaults of AWS', (t) => {
  t.same(parseStoreAddress({ STORE: 's3://atlas/night/a', AWS_REGION: 'eu-central-1' }), {
    kind: 's3',
    url: 's3://atlas/night/a',
    bucket: 'atlas',
    prefix: 'night/a/',
    endpoint: undefined,
    region: 'eu-central-1',
    pathStyle: false,
  });
  t.match(parseStoreAddress({ STORE: 's3://atlas/' }), { url: 's3://atlas', prefix: '', region: undefined });
  t.end();
});

t.test('a service of its own has path-style requests and needs no region', (t) => {
  const own = { STORE: 's3://atlas', AWS_ENDPOINT_URL: 'http://10.0.0.1:9000' };
  t.match(parseStoreAddress(own), { endpoint: 'http://10.0.0.1:9000', region: 'us-east-1', pathStyle: true });
  t.match(parseStoreAddress({ ...own, AWS_ENDPOINT_URL_S3: 'http://s3' }), { endpoint: 'http://s3' });
  t.match(parseStoreAddress({ ...own, STORE_PATH_STYLE: 'no' }), { pathStyle: false });
  t.end();
});

t.test('a folder may be relative, and no STORE is no store', (t) => {
  t.same(parseStoreAddress({ STORE: 'file:some/where' }), {
    kind: 'folder',
    url: `file:${resolve('some/where')}`,
    path: resolve('some/where'),
  });
  t.match(parseStoreAddress({ STORE: 'file:///srv/store' }), { path: '/srv/store' });
  t.match(parseStoreAddress({ STORE: 'file:/srv/store' }), { path: '/srv/store' });
  t.equal(parseStoreAddress({ STORE: '' }), undefined);
  t.equal(parseStoreAddress({}), undefined);
  t.end();
});

t.test('an invalid STORE is an error that does not repeat it', (t) => {
  for (const STORE of [
    's3://user:secret@atlas',
    's3:/atlas',
    's3://A_b',
    's3://atlas/../x',
    '/srv/store',
    'http://secret/',
  ]) {
    t.throws(
      () => parseStoreAddress({ STORE }),
      {
        name: 'StoreAddressError',
        message: 'invalid STORE: expected s3://bucket, s3://bucket/prefix or file:folder',
      },
      STORE,
    );
  }
  t.throws(() => parseStoreAddress({ STORE: 'file:' }), /expected file:folder/);
  t.throws(
    () => parseStoreAddress({ STORE: 's3://atlas', STORE_PATH_STYLE: 'true' }),
    /invalid STORE_PATH_STYLE "true": expected yes or no/,
  );
  t.end();
});
