import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readMetadata } from '../../pipeline/mmdb/metadata.js';
import { without } from '../../pipeline/mmdb/testing/oracles.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { newFaultProxyForTest } from '../../pipeline/testing/fault-proxy.js';
import { startChangingProxy } from '../testing/changing-proxy.js';
import { runServer } from '../testing/running-server.js';
import { startTlsFront, type TlsFront } from '../testing/tls-front.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const server = await runServer(t);
const front = await startTlsFront(t, server.url);
const { editions = [] } = (await currentRelease(server.outputDir))!.manifest;

/** A customer's machine: a folder with databases, and a GeoIP.conf. */
interface Customer {
  readonly id: number;
  readonly key: string;
  readonly editions?: string;
}

/** Runs Debian's geoipupdate with a GeoIP.conf, trusting the authority of the tests. */
function geoipupdate(
  folder: string,
  { id, key, editions = 'GeoLite2-City GeoIP2-ISP' }: Customer,
  { proxy }: Pick<TlsFront, 'proxy'> = front,
) {
  const conf = join(folder, 'GeoIP.conf');
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, TEST_IDENTITY.authority);
  const lines = [`AccountID ${id}`, `LicenseKey ${key}`, `EditionIDs ${editions}`];
  lines.push('Host test-upstream.example.com', `Proxy ${proxy}`, 'RetryFor 0s', 'PreserveFileTimes 1');
  writeFileSync(conf, `${lines.join('\n')}\n`);
  const env = { PATH: process.env['PATH'], SSL_CERT_FILE: authority, SSL_CERT_DIR: folder };
  return new Promise<{ readonly code: number; readonly log: string }>((resolve) => {
    execFile('geoipupdate', ['-v', '-f', conf, '-d', folder], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, log: stdout + stderr });
    });
  });
}

async function newCustomer(plan: 'pro' | 'enterprise' = 'enterprise'): Promise<Customer> {
  const key = await server.key(plan);
  const { body } = await server.get('/api/user/me', { Authorization: `Bearer ${key}` });
  return { id: (body as { data: { id: number } }).data.id, key };
}

function folderOf(t: Test): string {
  const folder = join(t.testdir({ x: {} }), 'x');
  mkdirSync(folder, { recursive: true });
  return folder;
}

const usedBy = async ({ key }: Customer): Promise<number> => {
  const { body } = await server.get('/api/user/usage', { Authorization: `Bearer ${key}` });
  return (body as { data: { today: number } }).data.today;
};

const skip = without('geoipupdate');

t.test('Debian’s geoipupdate installs editions, and finds them unchanged', { skip }, async (t) => {
  const customer = await newCustomer();
  const folder = folderOf(t);
  const first = await geoipupdate(folder, customer);
  t.equal(first.code, 0, first.log);
  t.comment(first.log);
  for (const type of ['GeoLite2-City', 'GeoIP2-ISP']) {
    const path = join(folder, `${type}.mmdb`);
    const bytes = readFileSync(path);
    const { whole } = editions.find((edition) => edition.type === type)!;
    t.equal(createHash('sha256').update(bytes).digest('hex'), whole.sha256, type);
    t.equal(readMetadata(bytes).metadata.databaseType, type);
    const head = await server.ask(`/geoip/databases/${type}/download`, {
      method: 'HEAD',
      headers: {
        Authorization: `Basic ${Buffer.from(`${customer.id}:${customer.key}`).toString('base64')}`,
      },
    });
    t.equal(
      statSync(path).mtimeMs,
      Date.parse(head.headers.get('last-modified')!),
      'the time of the file is ours',
    );
  }
  t.equal(await usedBy(customer), 2);
  const before = front.requests.length;
  const second = await geoipupdate(folder, customer);
  t.equal(second.code, 0, second.log);
  t.comment(second.log);
  t.match(second.log, /No new updates available for GeoLite2-City/);
  t.equal(await usedBy(customer), 2, 'asking again costs nothing');
  const asked = front.requests.slice(before);
  const { whole } = editions.find((edition) => edition.type === 'GeoLite2-City')!;
  t.ok(asked.includes(`GET /geoip/databases/GeoLite2-City/update?db_md5=${whole.md5}`), asked.join('\n'));
});

t.test(
  'Debian’s geoipupdate reports each refusal with its status, and keeps its files',
  { skip },
  async (t) => {
    const customer = await newCustomer();
    const folder = folderOf(t);
    await geoipupdate(folder, { ...customer, editions: 'GeoLite2-ASN' });
    const path = join(folder, 'GeoLite2-ASN.mmdb');
    writeFileSync(path, 'an older file');
    const cases: readonly (readonly [Customer, RegExp])[] = [
      [
        { ...customer, key: 'ipa_wrong', editions: 'GeoLite2-ASN' },
        /401.*invalid account number or API key/s,
      ],
      [
        { ...customer, id: customer.id + 1000, editions: 'GeoLite2-ASN' },
        /401.*invalid account number or API key/s,
      ],
      [
        { ...(await newCustomer('pro')), editions: 'GeoLite2-ASN' },
        /403.*downloads require the enterprise plan/s,
      ],
      [{ ...customer, editions: 'GeoIP2-Enterprise' }, /404.*unknown edition: expected ipatlas-City/s],
    ];
    for (const [who, reason] of cases) {
      const { code, log } = await geoipupdate(folder, who);
      t.equal(code, 1);
      t.match(log, reason);
    }
    for (let i = 0; i < 4; i++) {
      writeFileSync(path, `older file ${i}`);
      t.equal((await geoipupdate(folder, { ...customer, editions: 'GeoLite2-ASN' })).code, 0);
    }
    writeFileSync(path, 'the oldest file');
    const { code, log } = await geoipupdate(folder, { ...customer, editions: 'GeoLite2-ASN' });
    t.equal(code, 1);
    t.match(log, /429.*download limit of 5 exceeded/s);
    t.comment(log);
    t.equal(readFileSync(path, 'utf8'), 'the oldest file');
    t.notOk(existsSync(join(folder, 'GeoIP2-Enterprise.mmdb')));
  },
);

t.test(
  'Debian’s geoipupdate refuses a file that was cut or changed on the way, or has another md5',
  { skip },
  async (t) => {
    const customer = { ...(await newCustomer()), editions: 'GeoLite2-ASN' };
    const folder = folderOf(t);
    const path = join(folder, 'GeoLite2-ASN.mmdb');
    writeFileSync(path, 'the old file');
    const faulty = await newFaultProxyForTest(t, Number(new URL(server.url).port));
    const behindFaults = await startTlsFront(t, `http://127.0.0.1:${faulty.port}`);
    for (const fault of ['truncated', 'wrong', 'gone'] as const) {
      faulty.fault = fault;
      const { code, log } = await geoipupdate(folder, customer, behindFaults);
      t.equal(code, 1, `${fault}: ${log}`);
      t.equal(readFileSync(path, 'utf8'), 'the old file', fault);
    }
    t.equal(faulty.faults, 3);
    const changing = await startChangingProxy(t, server.url);
    changing.change = ({ headers }) => {
      headers.set('x-database-md5', '0'.repeat(32));
    };
    const { code, log } = await geoipupdate(folder, customer, await startTlsFront(t, changing.url));
    t.equal(code, 1);
    t.match(log, /md5/i);
    t.equal(readFileSync(path, 'utf8'), 'the old file');
    const last = await geoipupdate(folder, customer);
    t.equal(last.code, 0, last.log);
    const { whole } = editions.find(({ type }) => type === 'GeoLite2-ASN')!;
    t.equal(createHash('sha256').update(readFileSync(path)).digest('hex'), whole.sha256);
  },
);
