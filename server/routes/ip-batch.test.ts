import { fileURLToPath } from 'node:url';
import t from 'tap';
import { IpRecords } from '../lookup/ip-record.js';
import { CountryNames } from '../../pipeline/record/language.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { callRoute } from '../testing/call-route.js';
import { mapSnapshot } from '../testing/map-snapshot.js';
import { ipBatch } from './ip-batch.js';

const reserved = await readReservedSpace(
  fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url)),
);
const records = new IpRecords({ reserved, countries: new CountryNames() });
const NAMES = Array.from({ length: 100 }, (_, i) => `host${i}.example.com`);

/** A resolver whose replies are sent by the test. */
class HeldResolver implements HostResolver {
  readonly asked: string[] = [];
  readonly #held: ((error?: Error) => void)[] = [];

  resolve(name: string): Promise<string | undefined> {
    this.asked.push(name);
    return new Promise((resolve, reject) => {
      this.#held.push((error) => {
        if (error) reject(error);
        else resolve('9.9.9.9');
      });
    });
  }

  /** Replies to all names that were asked so far. */
  async release(error?: Error): Promise<void> {
    for (const reply of this.#held.splice(0)) reply(error);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function streamOf(resolver: HostResolver): Promise<AsyncIterator<Buffer> & AsyncIterable<Buffer>> {
  const { answer } = await callRoute(ipBatch({ records, resolver }), {
    snapshot: mapSnapshot({}),
    body: { ips: ['9.9.9.9', ...NAMES] },
    headers: { accept: 'application/x-ndjson' },
    batchLimit: 500,
  });
  if (answer.kind !== 'stream' || answer.stream === undefined) throw new Error(answer.kind);
  return answer.stream.iterator() as AsyncIterator<Buffer> & AsyncIterable<Buffer>;
}

t.test('decision 81: no name is resolved before the lines are read', async (t) => {
  const resolver = new HeldResolver();
  const lines = await streamOf(resolver);
  t.same(resolver.asked, []);
  t.match(String((await lines.next()).value), /^\{"ip":"9\.9\.9\.9".*\}\n$/);
  t.same(resolver.asked, NAMES.slice(0, 32));
});

t.test('decision 81: after the caller has left, no further name is resolved', async (t) => {
  const resolver = new HeldResolver();
  const lines = await streamOf(resolver);
  await lines.next();
  await lines.return?.();
  await resolver.release();
  t.equal(resolver.asked.length, 32);
});

t.test('decision 81: an internal error breaks the lines off, and no line is made up', async (t) => {
  const resolver = new HeldResolver();
  const lines = await streamOf(resolver);
  await lines.next();
  const broken = t.rejects(lines.next(), TypeError);
  await resolver.release(new TypeError('ours'));
  await broken;
});
