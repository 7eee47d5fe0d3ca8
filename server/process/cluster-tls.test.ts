import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { shortDir } from '../../pipeline/testing/child-process.js';
import { openForTest } from '../ledger/testing/ledger.js';
import { newClusterForTest, type TlsFiles } from '../ledger/testing/redis-cluster.js';
import { serveProcess } from '../testing/served-process.js';

t.setTimeout(120_000);
const run = promisify(execFile);

/** Returns the reason to skip a test without openssl; throws where no test may be skipped. */
function withoutOpenssl(): string | false {
  if (spawnSync('openssl', ['version']).status === 0) return false;
  const reason = 'openssl is not installed (apt-get install openssl)';
  if (process.env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/** Makes a certificate for 127.0.0.1 and the authority that signs it. */
async function newIdentity(t: Test): Promise<TlsFiles> {
  const dir = shortDir(t);
  const path = (name: string): string => join(dir, name);
  const newKey = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const authority = ['-x509', '-subj', '/CN=Authority of a test'];
  await run('openssl', [...newKey, ...authority, '-keyout', path('ca.key'), '-out', path('ca.pem')]);
  const request = ['-subj', '/CN=127.0.0.1', '-keyout', path('key.pem'), '-out', path('request.pem')];
  await run('openssl', [...newKey.slice(0, -2), ...request]);
  writeFileSync(path('names'), 'subjectAltName=IP:127.0.0.1\n');
  const signer = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-days', '2'];
  const signed = ['-in', path('request.pem'), '-extfile', path('names'), '-out', path('cert.pem')];
  await run('openssl', ['x509', '-req', ...signer, ...signed]);
  return { cert: path('cert.pem'), key: path('key.pem'), authority: path('ca.pem') };
}

const title = 'the processes of a server use a cluster over TLS, and refuse an unknown authority';

t.test(title, { skip: withoutOpenssl() }, async (t) => {
  const tls = await newIdentity(t);
  const cluster = await newClusterForTest(t, { replicasOfEach: 0, tls });
  const ledger = await openForTest(t, cluster.urls);
  const { key } = await ledger.accounts.createKey({ email: 'tls@example.com', plan: 'pro' });
  const settings = {
    OUTPUT: shortDir(t),
    REDIS_URLS: cluster.servers.map(({ tlsUrl }) => tlsUrl).join(','),
  };
  const trusting = { ...settings, NODE_EXTRA_CA_CERTS: tls.authority };
  const server = await serveProcess(t, trusting, '--workers', '2');
  for (let call = 1; call <= 6; call++) {
    const response = await fetch(`${server.url}/api/user/me`, {
      headers: { Authorization: `Bearer ${key}`, Connection: 'close' },
    });
    t.match(await response.json(), { code: 0, data: { email: 'tls@example.com' } }, `call ${call}`);
  }
  t.match(await (await fetch(server.metricsUrl)).text(), /^ipatlas_redis_servers 3$/m);
  const doubting = await serveProcess(t, settings);
  const { msg } = await doubting.saw(({ msg }) => msg?.startsWith('Redis is unreachable') === true);
  t.match(msg, /certificate/);
});
