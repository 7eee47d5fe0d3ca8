import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { without, type Oracle } from '../mmdb/testing/oracles.js';
import { addEditions } from '../release/add-editions.js';
import { writeDownloadable } from '../release/testing/downloadable-files.js';
import { CLIENTS } from './catalogue.js';
import { ClientError, MODEL_FIELDS, type Client, type Question } from './client.js';
import { runClient, type FilesByType } from './run-clients.js';

/** Small files with their editions. The first two addresses have records, the second one without most fields. */
const FILES: FilesByType = await (async () => {
  const dir = t.testdir();
  const { files, editions = [] } = await addEditions(writeDownloadable(dir), dir);
  const found = new Map<string, string>();
  for (const { name, type, of, bodyBytes } of editions) {
    const body = readFileSync(join(dir, of)).subarray(0, bodyBytes);
    writeFileSync(join(dir, `${type}.mmdb`), Buffer.concat([body, readFileSync(join(dir, name))]));
    found.set(type, join(dir, `${type}.mmdb`));
  }
  for (const { name, kind, databaseType } of files)
    if (kind === 'download') found.set(databaseType.split(' ')[0]!, join(dir, name));
  return found;
})();
const ADDRESSES = ['1.0.1.1', '1.1.1.1', '9.9.9.9', '2001:db8::1'];

const clientOf = (name: string): Client => CLIENTS.find((client) => client.name === name)!;

/** Clients that CI has, and the types that they refuse. */
const RUN: readonly (readonly [name: string, oracle: Oracle | undefined, refused: readonly string[]])[] = [
  ['mmdblookup', 'mmdblookup', []],
  ['Python maxminddb, C', 'python', []],
  ['Python geoip2', 'geoip2', ['`country()` of ipatlas-City']],
  ['Perl MaxMind::DB::Reader', 'perl', []],
  [
    'Perl GeoIP2',
    'geoip2-perl',
    [
      ...['`city()` of ipatlas-City', '`country()` of ipatlas-City', '`asn()` of ipatlas-ASN'],
      ...['`isp()` of ipatlas-ISP', '`anonymous_ip()` of ipatlas-ISP'],
    ],
  ],
  ['Node maxmind', undefined, []],
  ['Node mmdb-lib', undefined, []],
  ['Node geoip2-node', undefined, ['`country()` of ipatlas-City']],
];

for (const [name, oracle, refused] of RUN) {
  const skip = oracle === undefined ? false : without(oracle);
  t.test(`${name} answers as our reader does in every type that it accepts`, { skip }, async (t) => {
    const { version, replies } = await runClient(clientOf(name), FILES, ADDRESSES);
    t.match(version, /^\d/);
    t.equal(replies.length, 12);
    const wrong = replies.filter(({ problem }) => problem !== undefined);
    t.same(
      wrong.map(({ asked, type }) => `${asked} of ${type}`),
      refused,
    );
    for (const { problem } of wrong) t.match(problem, /cannot be (called|used) with/);
  });
}

/** Returns a client of an npm package that CI has, with one question about the City file. */
function clientThat(ask: Question['ask'], fields: readonly string[] = MODEL_FIELDS.asn): Client {
  return {
    name: 'x',
    from: { npm: 'maxmind' },
    questions: [{ asked: 'x', types: ['ipatlas-ASN'], fields, ask }],
  };
}

t.test('a wrong, missing or refused answer is a problem', async (t) => {
  const problemOf = async (...args: Parameters<typeof clientThat>): Promise<string | undefined> =>
    (await runClient(clientThat(...args), FILES, ADDRESSES)).replies[0]!.problem;
  const right = ['4134\tChinanet', '13335\t', '', ''];
  t.equal(await problemOf(() => right), undefined);
  t.equal(await problemOf(() => ['4134\tChinanet', '', '', '']), '1.1.1.1: "" instead of "13335"');
  t.equal(
    await problemOf(() => ['Chinanet\t4134', ...right.slice(1)]),
    '1.0.1.1: "Chinanet, 4134" instead of "4134, Chinanet"',
  );
  t.equal(await problemOf(() => [...right.slice(0, 3), '7']), '2001:db8::1: "7" instead of ""');
  t.equal(await problemOf(() => right.slice(1)), '3 answers to 4 addresses');
  const refuse = ({ file }: { file: string }): never => {
    throw new ClientError(`no ${file}`);
  };
  t.equal(await problemOf(refuse), 'no ipatlas-ASN.mmdb');
  t.equal(await problemOf(() => [], ['is_anonymous']), 'no asked address has is_anonymous');
});

t.test('a client that is not installed has no answers', async (t) => {
  const client = { ...clientThat(() => []), from: { debian: ['mmdb-bin', 'no-such-package'] } };
  t.same(await runClient(client, FILES, ADDRESSES), { name: 'x', replies: [] });
});
