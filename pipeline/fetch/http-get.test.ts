import { once } from 'node:events';
import t from 'tap';
import { httpGet } from './http-get.js';
import { startPublisher, TEST_LIMITS } from './testing/publisher.js';

/** Returns the number of timers that keep the process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

t.test('no timer of a request is left after its answer or failure', async (t) => {
  const publisher = await startPublisher(t, (_request, response) => response.end('body'));
  const asking = {
    headers: {},
    limits: { ...TEST_LIMITS, headersTimeoutMs: 600_000 },
    signal: new AbortController().signal,
    mirror: undefined,
  };
  const before = timers();
  const { status, response } = await httpGet(new URL(`${publisher.url}/file`), asking);
  t.equal(status, 200);
  t.equal(timers(), before, 'after the status line');
  response.resume();
  await once(response, 'close');
  publisher.answer = (request) => {
    request.socket.destroy();
  };
  await t.rejects(httpGet(new URL(`${publisher.url}/file`), asking), { name: 'DownloadError' });
  t.equal(timers(), before, 'after a failure');
});
