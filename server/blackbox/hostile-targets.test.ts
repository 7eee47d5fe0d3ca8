import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { listen } from '../egress/testing/loopback-world.js';
import { ScriptedNodes, type Script } from '../probe/testing/scripted-nodes.js';
import { DnsServer } from '../testing/dns-server.js';
import {
  HOSTILE_NAMES,
  HOSTILE_SPELLINGS,
  NO_TARGETS,
  PRIVATE_ADDRESSES,
} from '../testing/hostile-targets.js';
import { runServer } from '../testing/running-server.js';

const ROOT = 'whois.test-root.example.com';
// No connection may reach these. The other loopback addresses use the same port.
const trap = await listen(t, createServer());
const traps = [trap, ...(await Promise.all(['127.0.0.2', '::1'].map((host) => trapAt(host))))];
const names = await DnsServer.start({ ...HOSTILE_NAMES, [ROOT]: { addresses: ['127.0.0.1'] } });
t.teardown(() => names.close());
const done: Script = { kind: 'done', ip: '1.1.1.1', rtts: [1, 1, 1, 1] };
const nodes = new ScriptedNodes(new Map([['jp-1', done]]));
const server = await runServer(t, {
  ...{ dnsServers: [names.address], allowLoopback: false, trustedProxies: ['127.0.0.1/32'] },
  egressDeny: ['8.8.8.0/24', '2606:4700::/32'],
  upstreams: {
    ...{ whoisRoot: ROOT, whoisPort: trap.port },
    dohResolvers: [{ name: 'Trap', url: `https://${ROOT}:${trap.port}/dns-query`, addresses: ['127.0.0.2'] }],
  },
  parts: { nodes },
});
const key = await server.key('enterprise');
let callerCount = 0;

/** A text sent as a target. */
interface Row {
  readonly text: string;
  readonly kind: 'none' | 'private' | 'name';
}
const ROWS: readonly Row[] = [
  ...NO_TARGETS.map((text) => ({ text, kind: 'none' }) as const),
  ...PRIVATE_ADDRESSES.map((text) => ({ text, kind: 'private' }) as const),
  ...[...Object.keys(HOSTILE_NAMES), ...HOSTILE_SPELLINGS].map((text) => ({ text, kind: 'name' }) as const),
];

/** The URL of an endpoint for a target, and the expected code or bare error for each kind of row. */
interface Endpoint {
  readonly url: (target: string, row: Row) => string;
  readonly expected: (row: Row) => readonly (number | RegExp)[];
}
const lookup = ({ text, kind }: Row): readonly number[] => {
  if (kind === 'none') return [400];
  return kind === 'private' ? [0] : [missing(text) ?? 0];
};
const probed = ({ text, kind }: Row): readonly number[] => {
  if (kind === 'none') return [400];
  return kind === 'private' ? [403] : [missing(text) ?? 403];
};
const asked = ({ text, kind }: Row): readonly number[] => {
  // Only a-z A-Z 0-9 . - are accepted (decision 17). NODATA is an answer here.
  if (kind !== 'name' || !/^[a-z0-9.-]+$/i.test(text)) return [400];
  return [missing(text) === 502 ? 502 : 0];
};
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /api/ip/{target}': { url: (target) => `/api/ip/${target}`, expected: lookup },
  'GET /api/ip/{target}/sources': { url: (target) => `/api/ip/${target}/sources`, expected: lookup },
  'GET /api/dns/{domain}': { url: (target) => `/api/dns/${target}`, expected: asked },
  'GET /api/dns/{domain}/A': { url: (target) => `/api/dns/${target}/A`, expected: asked },
  'GET /api/tcping/{target}': { url: (target) => `/api/tcping/${target}?count=1`, expected: probed },
  'GET /api/tcping/{target} with a port': {
    url: (target, { text }) => {
      if (text.length % 2 === 0) return `/api/tcping/${target}?port=${trap.port}&count=1&timeout=100`;
      return `/api/tcping/${text.includes(':') ? `[${target}]` : target}:${trap.port}?count=1`;
    },
    expected: probed,
  },
  'GET /api/tcping/{target}?node= or country=': {
    url: (target, { text }) => `/api/tcping/${target}?${text.length % 2 === 0 ? 'node=jp-1' : 'country=JP'}`,
    expected: probed,
  },
  'GET /api/whois/{target}': {
    url: (target) => `/api/whois/${target}`,
    // No registry has a usable address here.
    expected: ({ kind }) => [kind === 'private' ? 404 : kind === 'none' ? 400 : 502],
  },
  'GET /dns_global/api/query': {
    url: (target, { text }) =>
      `/dns_global/api/query?domain=${target}&type=${text.length % 2 === 0 ? 'A' : 'PTR'}`,
    expected: ({ kind }) => [kind === 'name' ? /^Trap / : /^invalid domain/],
  },
};

/** Names that may be queried: those of callers, and the servers of registries. */
const PUBLIC = new Set([...Object.keys(HOSTILE_NAMES), ROOT, 'whois.verisign-grs.com']);

t.ok(ROWS.length >= 150, `${ROWS.length} hostile targets, at ${Object.keys(ENDPOINTS).length + 2} endpoints`);
t.comment(`${ROWS.length} hostile targets, at ${Object.keys(ENDPOINTS).length + 2} endpoints`);

for (const [title, endpoint] of Object.entries(ENDPOINTS)) {
  t.test(`decisions 16 and 33: ${title} refuses or resolves a hostile target, never connects`, async (t) => {
    const wrong: string[] = [];
    for (let at = 0; at < ROWS.length; at += 32)
      await Promise.all(
        ROWS.slice(at, at + 32).map(async (row) => {
          const complaint = await complaintOf(row, endpoint);
          if (complaint !== undefined) wrong.push(complaint);
        }),
      );
    t.strictSame(wrong, []);
    noTrapWasContacted(t);
  });
}

t.test('decisions 16 and 21: POST /api/ip/batch does the same', async (t) => {
  const headers = { Authorization: `Bearer ${key}` };
  const { status, body } = await server.post('/api/ip/batch', { ips: ROWS.map(({ text }) => text) }, headers);
  t.equal(status, 200);
  const { code, data } = body as { code: number; data: readonly { ip: string; error?: string }[] };
  t.equal(code, 0);
  const expected = ROWS.map((row) => {
    const [said] = lookup(row);
    return said === 0 ? undefined : said === 400 ? 'invalid IP or hostname' : 'target could not be resolved';
  });
  t.strictSame(
    data.map(({ error }) => error),
    expected,
  );
  noTrapWasContacted(t);
});

t.test('decisions 16 and 29: GET /api/rdns asks about public addresses only', async (t) => {
  const listed = new Set<string>();
  for (let at = 0; at < ROWS.length; at += 40) {
    const texts = ROWS.slice(at, at + 40).map(({ text }) => text);
    const { status, body } = await server.get(`/api/rdns?ips=${encodeURIComponent(texts.join())}`, from());
    t.equal(status, 200);
    const { resolved, pending } = body as { resolved: Record<string, string>; pending: string[] };
    for (const ip of [...Object.keys(resolved), ...pending]) listed.add(ip);
  }
  // One row is a list that contains a public address.
  t.strictSame([...listed], ['8.8.8.8']);
  noTrapWasContacted(t);
});

t.test('answers do not reveal an internal resolver', async (t) => {
  const { body } = await server.get('/api/dns/ten.hostile.example.com/A', from());
  t.match(body, { code: 0, data: { records: [{ value: '10.0.0.1' }], server: '' } });
  names.asked.length = 0;
});

/** Returns why a name cannot be resolved; undefined when it has an address. */
function missing(name: string): 404 | 502 | undefined {
  if (name.startsWith('empty.')) return 404;
  return name.startsWith('broken.') ? 502 : undefined;
}

/** Calls an endpoint. Returns what is wrong with the answer. */
async function complaintOf(row: Row, { url, expected }: Endpoint): Promise<string | undefined> {
  const headers = { ...from(), Authorization: `Bearer ${key}` };
  const { status, body } = await server.get(url(encodeURIComponent(row.text), row), headers);
  const { code, error = '' } = body as { code?: number; error?: string };
  const isRight = expected(row).some((said) => (typeof said === 'number' ? said === code : said.test(error)));
  if (isRight && status < 500 === (code ?? 0) < 500 && status !== 500) return undefined;
  return `${JSON.stringify(row.text.slice(0, 60))}: HTTP ${status}, code ${code}, ${error}`;
}

function noTrapWasContacted(t: Test): void {
  for (const { connectionCount } of traps) t.equal(connectionCount(), 0, 'no trap was contacted');
  t.strictSame(nodes.asked, [], 'no node was asked');
  t.strictSame(names.asked.filter(isForeign), [], 'nothing but public names was asked about');
  names.asked.length = 0;
}

/** Returns whether a question such as `A example.com` must not be sent. */
function isForeign(question: string): boolean {
  const [type, name = ''] = question.split(' ');
  if (type !== 'PTR') return !PUBLIC.has(name);
  return name !== '8.8.8.8.in-addr.arpa';
}

/** Each row comes from a new address, so limits do not interfere. */
function from(): Record<string, string> {
  callerCount++;
  return { 'X-Forwarded-For': `9.${callerCount >> 16}.${(callerCount >> 8) & 255}.${callerCount & 255}` };
}

async function trapAt(host: string) {
  return await listen(t, createServer(), { host, port: trap.port });
}
