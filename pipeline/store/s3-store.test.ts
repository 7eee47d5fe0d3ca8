import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { freePort } from '../testing/free-port.js';
import { openStore } from './open-store.js';
import type { ObjectStore } from './object-store.js';
import { parseStoreAddress } from './store-address.js';
import { readBody } from './verified-read.js';

process.env['AWS_ACCESS_KEY_ID'] = 'example';
process.env['AWS_SECRET_ACCESS_KEY'] = 'top-secret';

const storeAt = async (t: Test, port: number): Promise<ObjectStore> => {
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
  const store = await openStore(parseStoreAddress({ STORE: 's3://atlas/a', AWS_ENDPOINT_URL })!);
  t.teardown(() => {
    store.close();
  });
  return store;
};

/** Starts a server that gives every request the same wrong answer. */
const faultyStore = async (
  t: Test,
  answer: Parameters<typeof createServer>[1] & object,
): Promise<ObjectStore> => {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return storeAt(t, (server.address() as AddressInfo).port);
};

t.test('a service that does not respond is a fault that may pass', async (t) => {
  const store = await storeAt(t, await freePort());
  await t.rejects(store.head('x'), {
    name: 'TransientError',
    message: /^s3:\/\/atlas\/a\/x: .*ECONNREFUSED/,
  });
});

t.test('HTTP 503 is a fault that may pass, after the retries of the SDK', async (t) => {
  let requests = 0;
  const store = await faultyStore(t, (_request, response) => {
    requests++;
    response.writeHead(503).end();
  });
  await t.rejects(store.head('x'), { name: 'TransientError', message: /HTTP 503/ });
  t.ok(requests > 1, 'it was requested more than once');
});

t.test('HTTP 403 and a missing bucket do not pass, and errors have no secrets', async (t) => {
  const denied = await faultyStore(t, (_request, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>');
  });
  const error = await denied.get('x').then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  t.match(error, { name: 'StoreError', message: /access denied \(SignatureDoesNotMatch: no\)/ });
  t.notMatch(`${error?.message} ${error?.stack}`, /top-secret/);
  const bucketless = await faultyStore(t, (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end('<Error><Code>NoSuchBucket</Code><Message>no</Message></Error>');
  });
  await t.rejects(bucketless.get('x'), { name: 'StoreError', message: 's3://atlas/a/x: no such bucket' });
  await t.rejects(bucketless.put('x', Buffer.from('x')), { name: 'StoreError' });
});

t.test('an answer that is cut short is never a shorter object', async (t) => {
  const store = await faultyStore(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000', etag: '"a"' });
    response.write('the first half', () => response.destroy());
  });
  const read = async (): Promise<Buffer> => readBody((await store.get('x'))!, 10_000);
  await t.rejects(read(), { name: 'TransientError' });
});
