import t from 'tap';
import { CachingClient } from './caching-client.js';
import { CaseMemory, mixedCase } from './mixed-case.js';
import { parseNameServer } from './name-server.js';
import { StubClient } from './stub-client.js';
import { answerTo, framed, scriptedServer } from './testing/scripted-server.js';
import { setTimeout as sleep } from 'node:timers/promises';

const NAME = 'www.example-of-a-long-name.com';
const clientOf = (server: string) => new StubClient({ servers: [server], tryMs: 1000, budgetMs: 10_000 });
const ask = (client: Pick<StubClient, 'query'>) => client.query(NAME, 'A', Infinity);
const from = (value: string) => ({ records: [{ name: NAME, value }] });

/** Returns the name in the question as it was sent. */
function spellingOf(query: Buffer): string {
  return query.toString('latin1', 13, query.indexOf(0, 12)).replace(/[\x01-\x1f]/g, '.');
}

/** Returns the query with its name in lower case. */
function lowered(query: Buffer): Buffer {
  const copy = Buffer.from(query);
  copy.write(query.toString('latin1', 12, query.indexOf(0, 12)).toLowerCase(), 12, 'latin1');
  return copy;
}

const isPlain = (query: Buffer): boolean => spellingOf(query) === NAME;

t.test('names are asked in random case, and neither answers nor the cache show it', async (t) => {
  const spellings: string[] = [];
  const ports: number[] = [];
  const server = await scriptedServer(t, (query, send, { port }) => {
    spellings.push(spellingOf(query));
    ports.push(port);
    send(answerTo(query));
  });
  const client = clientOf(server);
  for (let i = 0; i < 50; i++) t.match(await ask(client), from('192.0.2.1'));
  t.ok(spellings.every((spelling) => spelling.toLowerCase() === NAME));
  t.ok(new Set(spellings).size > 45, `${new Set(spellings).size} spellings`);
  const steps = ports.slice(1).filter((port, i) => Math.abs(port - ports[i]!) <= 2).length;
  t.ok(steps < 10, `${steps} of 49 ports are next to the last one`);
  const cached = new CachingClient(client);
  for (let i = 0; i < 5; i++) t.match(await ask(cached), from('192.0.2.1'));
  t.equal(spellings.length, 51, 'one question for the cache');
});

t.test('a response in another case is ignored, and the true one is used', async (t) => {
  let plain = 0;
  const server = await scriptedServer(t, (query, send) => {
    if (isPlain(query)) plain++;
    send(answerTo(lowered(query), { ip: '192.0.2.66' }));
    send(answerTo(query));
  });
  const client = clientOf(server);
  for (let i = 0; i < 5; i++) t.match(await ask(client), from('192.0.2.1'));
  t.equal(plain, 0, 'mixed case is not given up');
});

t.test('after a forged response alone, TCP has the answer, and mixed case is not given up', async (t) => {
  let plain = 0;
  const server = await scriptedServer(
    t,
    (query, send) => {
      if (isPlain(query)) plain++;
      send(answerTo(lowered(query), { ip: '192.0.2.66' }));
    },
    (query, socket) => socket.end(framed(answerTo(query))),
  );
  const client = clientOf(server);
  for (let i = 0; i < 4; i++) t.match(await ask(client), from('192.0.2.1'));
  t.equal(plain, 0);
});

t.test('a server that changes the case is asked over TCP once, then in lower case', async (t) => {
  const asked: string[] = [];
  const server = await scriptedServer(
    t,
    (query, send) => {
      asked.push(isPlain(query) ? 'plain' : 'mixed');
      send(answerTo(lowered(query)));
    },
    (query, socket) => {
      asked.push('TCP');
      socket.end(framed(answerTo(lowered(query), { ip: '192.0.2.7' })));
    },
  );
  const client = clientOf(server);
  t.match(await ask(client), from('192.0.2.7'));
  for (let i = 0; i < 3; i++) t.match(await ask(client), from('192.0.2.1'));
  t.same(asked, ['mixed', 'TCP', 'plain', 'plain', 'plain']);
});

t.test('a server without TCP that changes the case is asked in lower case after two responses', async (t) => {
  const asked: string[] = [];
  const server = await scriptedServer(t, (query, send) => {
    asked.push(isPlain(query) ? 'plain' : 'mixed');
    send(answerTo(lowered(query)));
  });
  const client = clientOf(server);
  for (let i = 0; i < 3; i++) t.match(await ask(client), from('192.0.2.1'));
  t.same(asked, ['mixed', 'mixed', 'plain', 'plain', 'plain']);
});

t.test(
  'a server that ignores mixed case is retried in lower case, and asked so after three times',
  async (t) => {
    const asked: string[] = [];
    const server = await scriptedServer(t, (query, send) => {
      asked.push(isPlain(query) ? 'plain' : 'mixed');
      if (isPlain(query)) send(answerTo(query));
    });
    const client = new StubClient({ servers: [server], tryMs: 1000, budgetMs: 20_000 });
    for (let i = 0; i < 4; i++) t.match(await ask(client), from('192.0.2.1'));
    t.same(asked, ['mixed', 'plain', 'mixed', 'plain', 'mixed', 'plain', 'plain']);
  },
);

t.test('lost packets do not end mixed case while others are answered', async (t) => {
  let mixed = 0;
  const server = await scriptedServer(t, (query, send) => {
    if (isPlain(query) || ++mixed === 3) send(answerTo(query));
  });
  const client = new StubClient({ servers: [server], tryMs: 1000, budgetMs: 20_000 });
  for (let i = 0; i < 5; i++) t.match(await ask(client), from('192.0.2.1'));
  t.equal(mixed, 5);
});

t.test('the memory of servers is bounded and expires', async (t) => {
  const memory = new CaseMemory(50);
  const servers = Array.from({ length: 1000 }, (_, i) => parseNameServer(`192.0.2.1:${i + 1}`));
  for (const server of servers) memory.folded(server);
  t.equal(servers.filter((server) => !memory.mayMix(server)).length, 64);
  await sleep(100);
  t.ok(servers.every((server) => memory.mayMix(server)));
  const [server] = servers as [(typeof servers)[0]];
  for (const lost of [1, 2, 3, 4]) {
    memory.ignored(server);
    memory.kept(server);
    t.ok(memory.mayMix(server), `lost packet ${lost}`);
  }
});

t.test('only letters of a name change', (t) => {
  for (let i = 0; i < 100; i++) t.equal(mixedCase('a-1._b.xn--c').toLowerCase(), 'a-1._b.xn--c');
  const seen = new Set(Array.from({ length: 200 }, () => mixedCase('ab')));
  t.same([...seen].sort(), ['AB', 'Ab', 'aB', 'ab']);
  t.end();
});
