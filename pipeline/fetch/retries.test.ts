import t from 'tap';
import { DownloadError } from './download-error.js';
import { withRetries } from './retries.js';
import { TEST_LIMITS } from './testing/publisher.js';

const never = new AbortController().signal;

/** Returns an attempt that fails with these errors one after the other and then succeeds, and its number of calls. */
function failing(...errors: readonly Error[]) {
  const tried = { count: 0 };
  const attempt = (): Promise<string> => {
    const error = errors[tried.count++];
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  return { tried, attempt };
}

const temporary = (retryAfterMs?: number) =>
  new DownloadError('http', 'HTTP 503', { mayPass: true, retryAfterMs });

t.test('temporary failures are retried up to the number of tries, others are not', async (t) => {
  const twice = failing(temporary(), temporary());
  t.equal(await withRetries(TEST_LIMITS, never, twice.attempt), 'done');
  t.equal(twice.tried.count, 3);
  const last = temporary();
  const thrice = failing(temporary(), temporary(), last);
  t.equal(await withRetries(TEST_LIMITS, never, thrice.attempt).catch((error: unknown) => error), last);
  t.equal(thrice.tried.count, TEST_LIMITS.tries);
  for (const error of [new DownloadError('http', 'HTTP 403'), new TypeError('a defect')]) {
    const once = failing(error);
    t.equal(await withRetries(TEST_LIMITS, never, once.attempt).catch((found: unknown) => found), error);
    t.equal(once.tried.count, 1);
  }
});

t.test('a retry waits: when the download ends meanwhile, there is no further attempt', async (t) => {
  for (const retryAfterMs of [undefined, 120_000]) {
    const { tried, attempt } = failing(temporary(retryAfterMs));
    const ends = new AbortController();
    const limits = { ...TEST_LIMITS, backoffMs: 60_000 };
    const result = withRetries(limits, ends.signal, attempt);
    await new Promise((resolve) => setImmediate(resolve));
    ends.abort();
    await t.rejects(result, { name: 'DownloadError' });
    t.equal(tried.count, 1);
  }
});

t.test('a wait of more than two minutes is left to the next night', async (t) => {
  const error = temporary(120_001);
  const { tried, attempt } = failing(error);
  t.equal(await withRetries(TEST_LIMITS, never, attempt).catch((found: unknown) => found), error);
  t.equal(tried.count, 1);
});
