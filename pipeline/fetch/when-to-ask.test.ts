import t from 'tap';
import { planDownloads } from './download-plan.js';
import { knownWithoutAsking } from './when-to-ask.js';

const [PLANNED] = planDownloads([
  {
    ...{ folder: 'feed', name: 'file.csv', container: 'plain', required: true, take: 'latest' },
    download: { url: 'https://publisher.example.com/file.csv', minBytes: 1 },
  },
]);

t.test('a publisher is asked again from the moment that it named', (t) => {
  const state = { notBefore: '2026-11-22T12:00:00.000Z' };
  const at = (time: string) =>
    knownWithoutAsking(PLANNED!, { state, copy: undefined }, new Date(time))?.outcome;
  t.equal(at('2026-11-22T11:59:59.999Z'), 'failed');
  t.equal(at('2026-11-22T12:00:00.000Z'), undefined);
  t.end();
});

t.test('a file without a validator is requested again after 20 hours', (t) => {
  const copy = {
    ...{ name: 'file.csv', url: PLANNED!.download.url, sha256: '', sizeBytes: 1 },
    fetched: '2026-11-22T00:00:00.000Z',
  };
  const at = (time: string) => knownWithoutAsking(PLANNED!, { state: {}, copy }, new Date(time))?.outcome;
  t.equal(at('2026-11-22T19:59:59.999Z'), 'unchanged');
  t.equal(at('2026-11-22T20:00:00.000Z'), undefined);
  t.end();
});
