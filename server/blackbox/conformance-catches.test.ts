import t from 'tap';
import { ENDPOINTS } from '../conformance/endpoint-checks.js';
import { RULES } from '../conformance/rule-checks.js';
import { CheckFailed, ServiceClient } from '../conformance/service-client.js';
import { startChangingProxy, type PassingAnswer } from '../testing/changing-proxy.js';
import { startConformanceWorld } from '../testing/conformance-world.js';
import { BEHIND_PROXY } from './testing/callers.js';

/** A change of an answer by a test. */
type Fields = Record<string, unknown>;
type Change = (answer: PassingAnswer) => void;

/** Returns a change of `data` in answers to some paths. */
const data =
  (path: RegExp, change: (data: Fields) => void): Change =>
  (answer) => {
    const found = (answer.body as { data?: Fields } | undefined)?.data;
    if (found !== undefined && path.test(answer.path)) change(found);
  };

const each =
  (path: RegExp, list: string, change: (entry: Fields) => void): Change =>
  (answer) => {
    data(path, (found) => {
      (found[list] as Fields[] | undefined)?.forEach(change);
    })(answer);
  };

/** Returns a change of bodies without an envelope. */
const bare =
  (path: RegExp, change: (body: Fields) => void): Change =>
  ({ path: asked, body }) => {
    if (path.test(asked)) change(body as Fields);
  };

const without =
  (name: string): Change =>
  ({ headers }) => {
    headers.delete(name);
  };

const withHeader =
  (path: RegExp, name: string, value: string): Change =>
  ({ path: asked, headers }) => {
    if (path.test(asked)) headers.set(name, value);
  };

/** Returns a change of one failure code to another. */
const recoded =
  (from: number, status: number, code: number): Change =>
  (answer) => {
    const body = answer.body as Fields | undefined;
    if (body?.['code'] !== from) return;
    answer.status = status;
    body['code'] = code;
  };

let count = 0;

/** A service with one fault, and part of the name of the check that must fail. */
const BREACHES: readonly (readonly [what: string, check: string, change: Change])[] = [
  ['renames a documented key', 'GET /api/ip/{target}', data(/^\/api\/ip\//, (one) => (one['as'] = 1))],
  ['leaves out a key', 'GET /api/as-profile', data(/profile/, (one) => delete one['registry'])],
  [
    'writes a number as text',
    'GET /api/dns/{domain}/{type}',
    each(/dns/, 'records', (r) => (r['ttl'] = '3')),
  ],
  ['sends no limits', 'every response has', without('x-ratelimit-remaining')],
  ['has one request id for all', 'every response has', withHeader(/./, 'x-request-id', '1')],
  ['tells health another limit', 'OPTIONS, health', withHeader(/healthz/, 'x-ratelimit-limit', '30')],
  [
    'takes keys where none is asked for',
    'a key is ignored where none',
    withHeader(/nodes/, 'x-ratelimit-limit', '600'),
  ],
  ['never counts down', 'a window is fixed', withHeader(/json/, 'x-ratelimit-remaining', '59')],
  ['looks at targets before keys', 'the key is checked before', recoded(401, 200, 400)],
  ['says 401 by HTTP', 'endpoints that need a key', recoded(401, 401, 401)],
  ['is silent about wrong keys', 'with X-Auth: invalid', without('x-auth')],
  ['does not deprecate ?token=', '?token= works', without('deprecation')],
  ['counts account calls', 'account endpoints count', data(/usage/, (one) => (one['today'] = count++))],
  ['adds up wrongly', 'month_total is the sum', data(/usage/, (one) => (one['month_total'] = 1e9))],
  ['calls failures missing', 'failing name servers are HTTP 502', recoded(502, 200, 404)],
  ['answers unknown routes with 200', 'an unknown route is HTTP 404', (one) => (one.status = 200)],
  ['exposes no ETag', 'CORS exposes', withHeader(/./, 'access-control-expose-headers', 'X-Auth')],
  ['opens rdns', 'CORS allows every origin', withHeader(/rdns/, 'access-control-allow-origin', '*')],
  [
    'has English by default',
    'lang: zh by default',
    data(/1\.1\.1\.1$/, (one) => (one['country'] = 'Australia')),
  ],
  ['takes 127.1', 'an invalid address or host name', recoded(400, 200, 0)],
  ['fails by HTTP', 'a missing name is HTTP 200', recoded(404, 404, 404)],
  ['fills reserved records', 'for a reserved address every', data(/192/, (one) => (one['timezone'] = 'UTC'))],
  ['takes shared space for public', 'special-purpose addresses', withPublicSharedSpace],
  ['has another text', 'a batch keeps order', renamedErrors],
  ['says Shanghai twice', 'location joins', data(/202/, (one) => (one['location'] = '中国 上海 上海'))],
  [
    'renames keys of peers',
    'bgp.peers are',
    data(/8\.8/, ({ bgp }) => ((bgp as Fields)['peers'] = [{ asn: 1 }])),
  ],
  ['hides what is available', 'an unregistered domain', data(/whois/, (one) => (one['available'] = false))],
  [
    'writes local dates',
    'dates are ISO 8601',
    data(/whois/, (one) => (one['expiry_date'] = '1995-08-14 04:00:00')),
  ],
  ['writes status as RDAP does', 'EPP codes', data(/whois/, (one) => (one['status'] = ['client hold']))],
  ['writes MX with its preference', 'format of its type', each(/dns/, 'records', mxWithPreference)],
  ['echoes the arpa name', 'PTR of an IPv4', data(/PTR/, (one) => (one['query'] = '1.1.1.1.in-addr.arpa'))],
  [
    'rewrites keys of rdns',
    'keys are the addresses',
    bare(/rdns/, (one) => (one['resolved'] = { '2606:4700:4700::1111': '' })),
  ],
  [
    'makes NXDOMAIN an error',
    'is NXDOMAIN without error',
    bare(/query/, (one) => (one['error'] = 'no such name')),
  ],
  [
    'has one resolver for all',
    'each provider index',
    bare(/query/, (one) => (one['resolver'] = 'Resolver 0')),
  ],
  ['loses a region', 'regions: 135', withoutLastRegion],
  ['writes loss as a fraction', 'loss, min, max', data(/tcping/, (one) => (one['loss'] = 0.5))],
  ['takes the median for the mean', 'loss, min, max', data(/tcping/, (one) => (one['avg'] = 1e6))],
  ['probes what is private', 'only private addresses', recoded(403, 200, 404)],
  ['tells timeout_ms of nodes', 'a node always makes 4', data(/tcping/, (one) => (one['timeout_ms'] = 3000))],
  ['lists countries by name', 'node takes precedence', countriesByName],
  ['passes on times of another host', "a node's answer", data(/node=/, (one) => (one['ip'] = '127.0.0.2'))],
  [
    'passes on an address as a node wrote it',
    "a node's answer",
    data(/open\.example\.com.*node=/, (one) => (one['ip'] = '2606:4700:0::1111')),
  ],
  [
    'passes on times longer than an attempt',
    "a node's answer",
    data(/node=/, (one) => (one['rtts'] = [1, null, 2, 3001])),
  ],
  ['probes mail servers', 'a refused port is 403', recoded(403, 200, 404)],
  ['counts refused probes', 'a refused port is 403', data(/usage/, (one) => (one['today'] = count++))],
  ['lets callers scan ports', '100 different ports', recoded(429, 200, 0)],
  ['limits ports without an end', '100 different ports', withoutEndOfLimit],
  ['takes AS13335', 'an AS number is digits', recoded(400, 200, 404)],
  [
    'ranks the other way',
    'topology is ranked',
    data(/topo/, (one) => (one['peers'] = (one['peers'] as unknown[]).toReversed())),
  ],
  [
    'finds too much',
    'at most 20 per list',
    data(/search/, (one) => (one['facs'] = Array.from({ length: 21 }, () => FACILITY))),
  ],
  ['counts no download', 'the Used headers', withHeader(/datasets/, 'x-dataset-hourly-used', '1')],
  ['has another ETag', 'If-Range with the current', withHeader(/datasets/, 'etag', 'W/"1"')],
];

const FACILITY = { id: 1, name: 'Somewhere', city: '', country: '' } as const;

function renamedErrors({ body }: PassingAnswer): void {
  for (const entry of (body as { data?: Fields[] } | undefined)?.data ?? [])
    if ('error' in entry) entry['error'] = 'Invalid target';
}

function withPublicSharedSpace({ body }: PassingAnswer): void {
  for (const entry of (body as { data?: Fields[] }).data ?? [])
    if (entry['ip'] === '100.64.0.1') entry['is_reserved'] = false;
}

function withoutLastRegion({ path, body }: PassingAnswer): void {
  if (path.includes('/regions')) (body as unknown[]).pop();
}

function withoutEndOfLimit({ status, headers }: PassingAnswer): void {
  if (status === 429) headers.delete('retry-after');
}

function mxWithPreference(record: Fields): void {
  if (record['type'] === 'MX') record['value'] = `10 ${String(record['value'])}`;
}

function countriesByName({ body }: PassingAnswer): void {
  const failure = body as Fields | undefined;
  if (failure && 'available_countries' in failure) failure['available_countries'] = ['Germany'];
}

const { server, subjects } = await startConformanceWorld(t, BEHIND_PROXY);
const proxy = await startChangingProxy(t, server.url);

/** Runs a check against the service behind the proxy. Returns its finding; undefined when it passes. */
async function verdictOf(piece: string, asOf: string): Promise<unknown> {
  const found = [...ENDPOINTS, ...RULES].filter(({ name }) => name.includes(piece));
  const check = found.find(({ name }) => name === piece) ?? found[0];
  if (check === undefined) throw new Error(`no check is named ${piece}`);
  proxy.source = asOf;
  const client = new ServiceClient(proxy.url);
  // For checks that read all earlier answers.
  await client.ask('/json');
  await client.ask('/json');
  return await check.run({ ...subjects, client }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

for (const [i, [what, check, change]] of BREACHES.entries()) {
  t.test(`a service that ${what} is caught`, async (t) => {
    proxy.change = change;
    const verdict = await verdictOf(check, `203.0.113.${i + 1}`);
    t.ok(verdict instanceof CheckFailed, `${check}: ${String(verdict)}`);
  });
}

t.test('the same checks pass for the unchanged service', async (t) => {
  proxy.change = () => undefined;
  const checks = [...new Set(BREACHES.map(([, check]) => check))];
  for (const [i, check] of checks.entries()) {
    // The run of all checks uses up the downloads of the hour.
    if (/Used headers|If-Range/.test(check)) continue;
    t.equal(await verdictOf(check, `198.51.100.${i + 1}`), undefined, check);
  }
});
