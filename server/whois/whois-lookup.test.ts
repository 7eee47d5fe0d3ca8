import t from 'tap';
import { deadlineIn, leftOf } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { WhoisLookup } from './whois-lookup.js';
import type { Registration, WhoisAnswer, WhoisClient, WhoisTarget } from './whois-record.js';

const TARGET: WhoisTarget = { kind: 'domain', name: 'example.com' };
const REGISTRATION: Registration = {
  raw: '{}',
  registrar: 'R',
  creation_date: '',
  expiry_date: '',
  updated_date: '',
  nameservers: [],
  status: [],
  registrant: '',
  dnssec: '',
};
const FOUND: WhoisAnswer = { kind: 'found', registration: REGISTRATION };
const ABSENT: WhoisAnswer = { kind: 'absent', raw: 'No match' };
const NO_SERVER: WhoisAnswer = { kind: 'no-server' };
const silent = (name: string) => new UpstreamError('timeout', name);

/** A scripted client: always the same answer, or silence until the deadline. Counts queries. */
class ScriptedClient implements WhoisClient {
  asked = 0;
  readonly budgets: number[] = [];

  constructor(private readonly says: WhoisAnswer | UpstreamError | 'silence') {}

  async ask(_: WhoisTarget, deadline: number): Promise<WhoisAnswer> {
    this.asked++;
    this.budgets.push(leftOf(deadline));
    if (this.says === 'silence') {
      await new Promise((resolve) => setTimeout(resolve, leftOf(deadline)));
      throw silent('it');
    }
    await Promise.resolve();
    if (this.says instanceof UpstreamError) throw this.says;
    return this.says;
  }
}

function lookupOver(
  rdap: ScriptedClient,
  port43: ScriptedClient,
  budgets?: { eachMs: number; totalMs: number },
) {
  const kept = new Map<string, { answer: WhoisAnswer; ttlSeconds: number }>();
  const cache = {
    read: (key: string) => Promise.resolve(kept.get(key)?.answer),
    write: (key: string, answer: WhoisAnswer, ttlSeconds: number) => {
      kept.set(key, { answer, ttlSeconds });
      return Promise.resolve();
    },
  };
  return { kept, lookup: new WhoisLookup({ rdap, port43, cache, ...(budgets ? { budgets } : {}) }) };
}

t.test('decision 25: RDAP first, then port 43 if RDAP fails or lists no server', async (t) => {
  const cases: readonly (readonly [WhoisAnswer | UpstreamError, WhoisAnswer | UpstreamError, unknown])[] = [
    [FOUND, silent('43'), FOUND],
    [ABSENT, FOUND, ABSENT],
    [NO_SERVER, FOUND, FOUND],
    [NO_SERVER, NO_SERVER, NO_SERVER],
    [NO_SERVER, silent('43'), '43'],
    [silent('rdap'), FOUND, FOUND],
    [silent('rdap'), ABSENT, ABSENT],
    [silent('rdap'), silent('43'), 'RDAP: rdap; port 43: 43'],
    [silent('rdap'), NO_SERVER, 'rdap'],
  ];
  for (const [first, second, expected] of cases) {
    const { lookup } = lookupOver(new ScriptedClient(first), new ScriptedClient(second));
    const answer = await lookup.lookup(TARGET).catch((error: unknown) => (error as Error).message);
    t.same(answer, expected);
  }
});

t.test('decision 25: concurrent callers share one query, and later ones use the cache', async (t) => {
  const rdap = new ScriptedClient(FOUND);
  const { lookup, kept } = lookupOver(rdap, new ScriptedClient(NO_SERVER));
  await Promise.all(Array.from({ length: 50 }, () => lookup.lookup(TARGET)));
  t.equal(rdap.asked, 1);
  await lookup.lookup(TARGET);
  t.equal(rdap.asked, 1);
  t.equal(kept.get('domain example.com')?.ttlSeconds, 3600);
  const network: WhoisTarget = { kind: 'ip', ip: '8.8.8.0', version: 4, length: 24 };
  await lookup.lookup(network);
  t.equal(kept.get('ip 8.8.8.0/24')?.ttlSeconds, 12 * 3600);
  const free = lookupOver(new ScriptedClient(ABSENT), new ScriptedClient(NO_SERVER));
  await free.lookup.lookup(TARGET);
  t.equal(free.kept.get('domain example.com')?.ttlSeconds, 300);
});

t.test('failures are not cached', async (t) => {
  const { lookup, kept } = lookupOver(new ScriptedClient(silent('a')), new ScriptedClient(silent('b')));
  await t.rejects(lookup.lookup(TARGET), UpstreamError);
  await t.rejects(lookup.lookup(TARGET), UpstreamError);
  t.equal(kept.size, 0);
});

t.test('decision 25: each protocol has a time limit, and so have both together', async (t) => {
  const [rdap, port43] = [new ScriptedClient('silence'), new ScriptedClient('silence')];
  const { lookup } = lookupOver(rdap, port43, { eachMs: 200, totalMs: 300 });
  const until = deadlineIn(2000);
  await t.rejects(lookup.lookup(TARGET), { name: 'UpstreamError', reason: 'timeout' });
  t.ok(leftOf(until) > 0);
  t.ok(rdap.budgets[0]! > 150 && rdap.budgets[0]! <= 200);
  // A timer may fire a moment before its time.
  t.ok(port43.budgets[0]! < 150, 'the rest of the total, not the limit of a protocol');
  const whole = lookupOver(new ScriptedClient(FOUND), new ScriptedClient(NO_SERVER));
  await whole.lookup.lookup(TARGET);
});
