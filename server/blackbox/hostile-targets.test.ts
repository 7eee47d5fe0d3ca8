import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { listen } from '../egress/testing/loopback-world.js';
import { DnsServer } from '../testing/dns-server.js';
import {
  HOSTILE_NAMES,
  HOSTILE_SPELLINGS,
  NO_TARGETS,
  PRIVATE_ADDRESSES,
} from '../testing/hostile-targets.js';
import { runServer } from '../testing/running-server.js';

const names = await DnsServer.start(HOSTILE_NAMES);
t.teardown(() => names.close());
const server = await runServer(t, {
  ...{ dnsServers: [names.address], allowLoopback: false, trustedProxies: ['127.0.0.1/32'] },
  egressDeny: ['8.8.8.0/24', '2606:4700::/32'],
});
const key = await server.key('enterprise');
// Nobody may ever come here. The other loopback addresses have the same port.
const trap = await listen(t, createServer());
const traps = [trap, ...(await Promise.all(['127.0.0.2', '::1'].map((host) => trapAt(host))))];

/** How an endpoint is asked about a target; the path as the OpenAPI document has it. */
const ENDPOINTS: Readonly<Record<string, (target: string) => string>> = {
  '/api/ip/{target}': (target) => `/api/ip/${target}`,
  '/api/ip/{target}/sources': (target) => `/api/ip/${target}/sources`,
  '/api/ip/batch': () => '/api/ip/batch',
  '/api/whois/{target}': (target) => `/api/whois/${target}`,
  '/api/dns/{domain}': (target) => `/api/dns/${target}`,
  '/api/dns/{domain}/{type}': (target) => `/api/dns/${target}/A`,
  '/api/tcping/{target}': (target) => `/api/tcping/${target}?port=${trap.port}&count=1&timeout=100`,
  '/dns_global/api/query': (target) => `/dns_global/api/query?domain=${target}`,
  '/api/rdns': (target) => `/api/rdns?ips=${target}`,
};
const { paths } = JSON.parse((await server.get('/openapi.json')).text) as { paths: Record<string, unknown> };
/** These take many at once. */
const BULK: ReadonlySet<string> = new Set(['/api/ip/batch', '/api/rdns']);
/** Of these a text that is no target is always code 400. */
const STRICT: ReadonlySet<string> = new Set(['/api/ip/{target}', '/api/ip/{target}/sources']);

/** Every row comes from another address, as limits are not what is looked at here. */
let rowCount = 0;
const NAMES = [...Object.keys(HOSTILE_NAMES), ...HOSTILE_SPELLINGS];
t.ok(NO_TARGETS.length + PRIVATE_ADDRESSES.length + NAMES.length >= 150, 'there are 150 of them');

for (const [path, urlOf] of Object.entries(ENDPOINTS)) {
  const options = path in paths ? {} : { skip: `${path} is not there` };
  t.test(`R16, R33: ${path} connects to nobody for a hostile target`, options, async (t) => {
    const rows = [
      ...NO_TARGETS.map((text) => ({ text, kind: 'none' })),
      ...PRIVATE_ADDRESSES.map((text) => ({ text, kind: 'private' })),
      ...NAMES.map((text) => ({ text, kind: 'name' })),
    ];
    for (let at = 0; !BULK.has(path) && at < rows.length; at += 16) {
      await Promise.all(
        rows.slice(at, at + 16).map(async ({ text, kind }) => {
          const { status, code } = await ask(path, urlOf, text);
          const label = `${JSON.stringify(text.slice(0, 60))}: HTTP ${status}, code ${code}`;
          const isRight =
            status !== 500 &&
            (!STRICT.has(path) || kind !== 'none' || code === 400 || code === 404) &&
            (!path.startsWith('/api/tcping') || (code !== 0 && code !== undefined));
          if (!isRight) t.fail(label);
        }),
      );
    }
    if (BULK.has(path))
      await askInBulk(
        t,
        path,
        rows.map(({ text }) => text),
      );
    for (const { connectionCount } of traps) t.equal(connectionCount(), 0, 'nobody came');
    t.strictSame(names.asked.filter(isForeign), [], 'nothing but public names was asked for');
  });
}

async function ask(path: string, urlOf: (target: string) => string, text: string) {
  rowCount++;
  const headers: Record<string, string> = {
    'X-Forwarded-For': `9.${rowCount >> 16}.${(rowCount >> 8) & 255}.${rowCount & 255}`,
    ...(path.startsWith('/api/tcping') ? { Authorization: `Bearer ${key}` } : {}),
  };
  const { status, body } = await server.get(urlOf(encodeURIComponent(text)), headers);
  return { status, code: (body as { code?: number } | undefined)?.code };
}

async function askInBulk(t: Test, path: string, texts: readonly string[]): Promise<void> {
  if (path === '/api/ip/batch') {
    const { body } = await server.post(path, { ips: texts }, { Authorization: `Bearer ${key}` });
    const { code, data } = body as { code: number; data: readonly { ip: string; error?: string }[] };
    t.equal(code, 0);
    // Digits of other scripts make an IDN, which nobody has.
    t.strictSame(
      data.slice(0, NO_TARGETS.length).filter(({ error }) => error === undefined),
      [],
    );
    return;
  }
  for (let at = 0; at < texts.length; at += 40) {
    const { status, body } = await server.get(
      `${path}?ips=${encodeURIComponent(texts.slice(at, at + 40).join())}`,
    );
    t.equal(status, 200);
    // One row is a list with a public address in it, and of 192.88.99.0/24 the registry says nothing.
    const { resolved, pending } = body as { resolved: Record<string, string>; pending: string[] };
    t.strictSame(
      [...Object.keys(resolved), ...pending].filter((ip) => ip !== '8.8.8.8' && ip !== '192.88.99.1'),
      [],
    );
  }
}

/** Whether a question, `A example.com`, is one that must not leave: of numbers, single labels and private zones. */
function isForeign(question: string): boolean {
  const [type, name = ''] = question.split(' ');
  if (type === 'PTR') return /(^|\.)(10|127|0)\.in-addr\.arpa$|168\.192\.in-addr/.test(name);
  return (
    !/^[a-z0-9.-]+\.[a-z][a-z0-9-]+$/.test(name) ||
    /\.(local|internal|localhost|arpa|onion|test|invalid|example)$/.test(name)
  );
}

async function trapAt(host: string) {
  return await listen(t, createServer(), { host, port: trap.port });
}
