import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { currentRelease, MANIFEST } from '../../pipeline/release/release-store.js';
import { copyRelease, damageFile, linkCurrent } from '../testing/damage.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { SMALL, SMALL_AS } from '../testing/small-records.js';
import { swapBackAndForth } from '../testing/swap-back-and-forth.js';
import { publishSmallRelease, SMALL_BUILD_EPOCH } from '../testing/small-release.js';

const CONNECTIONS = 20;
const SWAPS = 12;
/** Number of answers from each release before the next one is published. */
const ANSWERS_EACH = 40;

// A busy machine is slow.
t.setTimeout(120_000);

/** All endpoints that answer from a release. Their answers contain its marker. */
const ASKED: readonly (readonly [path: string, body?: string])[] = [
  [`/api/ip/${SMALL.google}?lang=en`],
  [`/api/ip/${SMALL.shanghai}`],
  [`/api/ip/${SMALL.google}/sources`],
  ['/api/ip/batch', JSON.stringify({ ips: [SMALL.google, SMALL.vpn, SMALL.google, SMALL.exchange] })],
  ['/json?lang=en'],
  [`/api/as-profile/${SMALL_AS.google}`],
  ['/api/peering-index/search?q=google'],
];

t.test('releases change under load: no answer fails, and none mixes two releases', async (t) => {
  const server = await runServer(t, { withRelease: false, trustedProxies: ['127.0.0.1'] });
  const markers = new Map<string, string>();
  for (const marker of ['release1', 'release2', 'release3']) {
    markers.set(await publishSmallRelease(server.outputDir, { marker }), marker);
  }
  const ids = [...markers.keys()];
  await swapBackAndForth(server, ids, 1);
  const load = await startLoad(server);
  for (let swap = 1; swap <= SWAPS; swap++) {
    const id = ids[swap % ids.length]!;
    await swapBackAndForth(server, [id], 1);
    await load.answersOf(id, ANSWERS_EACH);
  }
  const answers = await load.stop();
  t.same(
    answers.filter(({ failure }) => failure !== undefined),
    [],
    `none of ${answers.length} failed`,
  );
  t.same(
    answers.filter(({ id, found }) => found.length !== 1 || found[0] !== markers.get(id)),
    [],
    'every part of an answer is of the release that X-Data-Build names',
  );
});

/** The result of a request. */
interface Answered {
  /** X-Data-Build. */
  readonly id: string;
  /** The distinct markers in the body. */
  readonly found: readonly string[];
  readonly failure?: string;
}

/** Connections that send requests one after the other until they are stopped. */
async function startLoad(server: TestServer): Promise<{
  answersOf: (id: string, count: number) => Promise<void>;
  stop: () => Promise<readonly Answered[]>;
}> {
  const answers: Answered[] = [];
  let isStopped = false;
  const keys = await Promise.all(Array.from({ length: CONNECTIONS }, () => server.key('enterprise')));
  const connections = keys.map(async (key, connection) => {
    for (let i = connection; !isStopped; i++) answers.push(await askOne(server.url, key, i));
  });
  return {
    answersOf: async (id, count) => {
      const before = answers.length;
      while (answers.slice(before).filter((answer) => answer.id === id).length < count) await pause();
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(connections);
      return answers;
    },
  };
}

async function askOne(url: string, key: string, i: number): Promise<Answered> {
  const [path, body] = ASKED[i % ASKED.length]!;
  // Keyless endpoints count by source, so each request has a new source in a network with a record.
  const source = `8.8.8.${(i * 7) % 256}`;
  const headers = {
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': source,
    'Content-Type': 'application/json',
  };
  const response = await fetch(
    `${url}${path}`,
    body === undefined ? { headers } : { method: 'POST', headers, body },
  );
  const text = await response.text();
  const found = [...new Set(text.match(/release\d+/g))];
  const id = response.headers.get('x-data-build') ?? '';
  const isGood = response.status === 200 && (path.startsWith('/json') || text.startsWith('{"code":0,'));
  return isGood ? { id, found } : { id, found, failure: `${path}: ${response.status} ${text.slice(0, 200)}` };
}

t.test(
  'an invalid release is refused, the old one stays; only the log and the metrics name the reason',
  async (t) => {
    const logged: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
    const server = await runServer(t, { log });
    const { dir } = (await currentRelease(server.outputDir))!;
    const old = basename(dir);
    const cases: readonly (readonly [what: string, spoil: (copy: string) => void, reason: RegExp])[] = [
      [
        'corrupt',
        (copy) => {
          damageFile(join(copy, 'geo.mmdb'), (bytes) => bytes.fill(0xff, 40, 60));
        },
        /^geo\.mmdb: has sha256 /,
      ],
      [
        'half a file',
        (copy) => {
          truncateSync(join(copy, 'routes.mmdb'), 1000);
        },
        /^routes\.mmdb: has 1000 bytes, expected /,
      ],
      [
        'a file is not copied yet',
        (copy) => {
          rmSync(join(copy, 'download/geo.mmdb'));
        },
        /^download\/geo\.mmdb: does not exist/,
      ],
      [
        'the manifest is not copied yet',
        (copy) => {
          rmSync(join(copy, MANIFEST));
        },
        /^manifest\.json: does not exist/,
      ],
      [
        'half a manifest',
        (copy) => {
          truncateSync(join(copy, MANIFEST), 500);
        },
        /^manifest\.json: /,
      ],
      ['an older schema', withSchema(0), /^manifest\.json: /],
      ['a later schema', withSchema(2), /^manifest\.json: /],
    ];
    let second = 0;
    for (const [what, spoil, reason] of cases) {
      const id = `20300101T00000${second++}Z-0123456789ab`;
      const copy = await copyRelease(dir, id);
      spoil(copy);
      linkCurrent(server.outputDir, `releases/${id}`);
      const readiness = await readinessWhen(server, ({ refused }) => refused?.id === id);
      t.match(readiness, { status: 'ready', release: old }, what);
      t.strictSame(readiness.refused, { id }, `${what}: /readyz shows no reason`);
      t.match(logged.at(-1), new RegExp(`refused release ${id}: ${reason.source.slice(1)}`), what);
      const metric = await server.running.metrics.registry.getSingleMetricAsString('ipatlas_release_refused');
      t.match(metric, new RegExp(`id="${id}",reason="${reason.source.slice(1)}`), what);
      const answer = await server.get(`/api/ip/${SMALL.google}?lang=en`, {
        Authorization: `Bearer ${await server.key('free')}`,
      });
      t.equal(answer.headers.get('x-data-build'), old);
      t.match(answer.body, { code: 0, data: { city: 'Mountain View' } });
    }
    const good = await publishSmallRelease(server.outputDir, {
      marker: 'two',
      buildEpoch: SMALL_BUILD_EPOCH + 1,
    });
    await served(server, good);
    t.match(await readinessOf(server), { release: good, refused: null });
    const metric = await server.running.metrics.registry.getSingleMetricAsString('ipatlas_release_refused');
    t.notMatch(metric, /reason=/);
  },
);

/** Writes a manifest of another format version, which is otherwise valid. */
function withSchema(schema: number): (copy: string) => void {
  return (copy) => {
    const path = join(copy, MANIFEST);
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...manifest, schema }));
  };
}

interface ReadinessBody {
  readonly status: string;
  readonly release: string | null;
  readonly refused: { readonly id: string | null } | null;
}

async function served(server: TestServer, id: string): Promise<void> {
  await readinessWhen(server, ({ release }) => release === id);
}

async function readinessWhen(
  server: TestServer,
  isSo: (body: ReadinessBody) => boolean,
): Promise<ReadinessBody> {
  for (;;) {
    const body = await readinessOf(server);
    if (isSo(body)) return body;
    await pause();
  }
}

async function readinessOf(server: TestServer): Promise<ReadinessBody> {
  return (await (await fetch(`${server.url}/readyz`)).json()) as ReadinessBody;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
