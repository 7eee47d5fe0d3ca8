import { createSocket } from 'node:dgram';
import t from 'tap';
import { deadlineIn } from '../deadline.js';
import { StubClient, type StubOptions } from './stub-client.js';
import { answerTo, framed, scriptedServer } from './testing/scripted-server.js';

const SERVFAIL = 0x8182;
const FORMERR = 0x8181;
const REFUSED = 0x8185;
const TRUNCATED = 0x8380;

/** Queries one name with short time limits. */
async function ask(servers: readonly string[], options: Partial<StubOptions> = {}) {
  const client = new StubClient({ servers, tryMs: 300, budgetMs: 700, ...options });
  return await client.query('www.example.com', 'A', deadlineIn(20_000));
}

const from = (ip: string) => ({ records: [{ value: ip }] });

t.test(
  'a datagram with another id, question or sender, or an invalid one, is ignored and the wait continues',
  async (t) => {
    const stranger = createSocket('udp4');
    t.teardown(() => stranger.close());
    const server = await scriptedServer(t, (query, send, { port }) => {
      const forged = (change: (bytes: Buffer) => void): Buffer => {
        const bytes = answerTo(query, { ip: '192.0.2.66' });
        change(bytes);
        return bytes;
      };
      stranger.send(
        forged(() => undefined),
        port,
        '127.0.0.1',
      );
      send(forged((bytes) => bytes.writeUInt16BE(bytes.readUInt16BE(0) ^ 1, 0)));
      send(forged((bytes) => (bytes[14]! ^= 1)));
      send(forged((bytes) => (bytes[2]! &= 0x7f)));
      send(Buffer.from('not a DNS message'));
      send(Buffer.alloc(0));
      setTimeout(() => {
        send(answerTo(query));
      }, 50);
    });
    t.match(await ask([server]), { ...from('192.0.2.1'), server });
  },
);

t.test('every attempt uses its own id and port', async (t) => {
  const ids = new Set<number>();
  const ports = new Set<number>();
  const server = await scriptedServer(t, (query, send, { port }) => {
    ids.add(query.readUInt16BE(0));
    ports.add(port);
    send(answerTo(query));
  });
  const client = new StubClient({ servers: [server] });
  await Promise.all(Array.from({ length: 50 }, () => client.query('www.example.com', 'A', Infinity)));
  t.ok(ids.size > 40 && ports.size > 40, `${ids.size} ids, ${ports.size} ports`);
});

t.test('a silent server is retried after the other server', async (t) => {
  let asked = 0;
  const slow = await scriptedServer(t, (query, send) => {
    if (++asked === 2) send(answerTo(query));
  });
  t.match(await ask([slow]), from('192.0.2.1'));
  const silent = await scriptedServer(t, () => undefined);
  const good = await scriptedServer(t, (query, send) => {
    send(answerTo(query, { ip: '192.0.2.2' }));
  });
  t.match(await ask([silent, good]), { ...from('192.0.2.2'), server: good });
});

t.test(
  'after SERVFAIL, REFUSED or a malformed message the next server is queried, each server once',
  async (t) => {
    const good = await scriptedServer(t, (query, send) => {
      send(answerTo(query));
    });
    let asked = 0;
    for (const flags of [SERVFAIL, REFUSED]) {
      const bad = await scriptedServer(t, (query, send) => {
        asked++;
        send(answerTo(query, { flags }));
      });
      t.match(await ask([bad, good]), { server: good });
      await t.rejects(ask([bad]), { name: 'UpstreamError', reason: 'failed' });
    }
    t.equal(asked, 4);
    const cut = await scriptedServer(t, (query, send) => {
      send(answerTo(query).subarray(0, -2));
    });
    t.match(await ask([cut, good]), { server: good });
    await t.rejects(ask([cut]), { name: 'UpstreamError', reason: 'malformed' });
    await t.rejects(
      ask([cut, cut, good]),
      { name: 'UpstreamError', reason: 'malformed' },
      'only the first two servers are used',
    );
  },
);

t.test('a server without EDNS support is queried again without EDNS, once', async (t) => {
  const server = await scriptedServer(t, (query, send) => {
    const hasEdns = query.readUInt16BE(10) === 1;
    send(hasEdns ? answerTo(query, { flags: FORMERR }) : answerTo(query));
  });
  t.match(await ask([server]), from('192.0.2.1'));
  const never = await scriptedServer(t, (query, send) => {
    send(answerTo(query, { flags: FORMERR }));
  });
  await t.rejects(ask([never]), { name: 'UpstreamError', reason: 'failed' });
});

t.test('a truncated response is fetched over TCP, in any number of pieces', async (t) => {
  const server = await scriptedServer(
    t,
    (query, send) => {
      send(answerTo(query, { flags: TRUNCATED }));
    },
    (query, socket) => {
      const bytes = framed(answerTo(query, { ip: '192.0.2.7' }));
      socket.setNoDelay();
      for (const [i, byte] of bytes.entries()) setTimeout(() => socket.write(Buffer.of(byte)), i);
    },
  );
  t.match(await ask([server], { tryMs: 2000, budgetMs: 4000 }), from('192.0.2.7'));
});

t.test('hostile: TCP waits no longer than the time limit and reads no more than one message', async (t) => {
  const truncated = (query: Buffer, send: (bytes: Buffer) => void): void => {
    send(answerTo(query, { flags: TRUNCATED }));
  };
  const overTcp = async (onStream: Parameters<typeof scriptedServer>[2]) =>
    await ask([await scriptedServer(t, truncated, onStream)]);
  await t.rejects(overTcp(undefined), { name: 'UpstreamError', reason: 'unreachable' });
  await t.rejects(
    overTcp(() => undefined),
    { name: 'UpstreamError', reason: 'timeout' },
  );
  await t.rejects(
    overTcp((_, socket) => socket.destroy()),
    { name: 'UpstreamError', reason: 'unreachable' },
  );
  await t.rejects(
    overTcp((query, socket) => socket.end(framed(answerTo(query)).subarray(0, -1))),
    {
      name: 'UpstreamError',
      reason: 'unreachable',
    },
  );
  await t.rejects(
    overTcp((query, socket) => socket.write(framed(answerTo(query, { flags: TRUNCATED })))),
    {
      name: 'UpstreamError',
      reason: 'malformed',
    },
  );
  await t.rejects(
    overTcp((_, socket) => socket.write(framed(Buffer.from('x')))),
    { name: 'UpstreamError', reason: 'malformed' },
  );
  await t.rejects(
    overTcp((_, socket) => {
      const drip = setInterval(() => socket.write(Buffer.of(0xff)), 20);
      socket.on('close', () => {
        clearInterval(drip);
      });
    }),
    { name: 'UpstreamError', reason: 'timeout' },
  );
  await t.rejects(
    overTcp((_, socket) => {
      const flood = (): boolean => socket.destroyed || (socket.write(Buffer.alloc(65_536, 0xff)) && flood());
      socket.on('drain', flood);
      flood();
    }),
    { name: 'UpstreamError', reason: 'malformed' },
  );
});

t.test('a silent server takes no longer than the time limit', async (t) => {
  const silent = await scriptedServer(t, () => undefined);
  const began = performance.now();
  await t.rejects(ask([silent, silent]), { name: 'UpstreamError', reason: 'timeout' });
  const took = performance.now() - began;
  t.ok(took > 600 && took < 1500, `${took} ms`);
});

t.test('opens no more sockets than the limit, and rejects queries that cannot get one in time', async (t) => {
  let open = 0;
  let most = 0;
  const server = await scriptedServer(t, (query, send) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      send(answerTo(query));
    }, 20);
  });
  const client = new StubClient({ servers: [server], sockets: 3 });
  await Promise.all(Array.from({ length: 12 }, () => client.query('www.example.com', 'A', Infinity)));
  t.equal(most, 3);
  const silent = await scriptedServer(t, () => undefined);
  const narrow = new StubClient({ servers: [silent], sockets: 1, tryMs: 400, budgetMs: 400 });
  const asked = [1, 2, 3].map(() => narrow.query('www.example.com', 'A', Infinity));
  for (const { status } of await Promise.allSettled(asked)) t.equal(status, 'rejected');
});

t.test('a port without a listener fails immediately', async (t) => {
  const gone = createSocket('udp4').bind(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address();
  await new Promise<void>((resolve) => {
    gone.close(resolve);
  });
  await t.rejects(ask([`127.0.0.1:${port}`]), { name: 'UpstreamError', reason: 'unreachable' });
});
