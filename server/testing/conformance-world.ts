import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';
import type { Subjects } from '../conformance/check.js';
import { zoneServer, type Zone } from '../dns/testing/zone-server.js';
import { startUpstream } from '../egress/testing/loopback-world.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { place, testNodeStore } from '../nodes/testing/node-server.js';
import { startTestAgent } from '../nodes/testing/test-agent.js';
import { acceptingTarget } from '../probe/testing/tcp-targets.js';
import { WhoisServer } from '../whois/port43/testing/whois-server.js';
import { APNIC_AUTNUM, APNIC_NETWORK, WHOLE_DOMAIN } from '../whois/rdap/testing/rdap-samples.js';
import { runServer, type TestServer, type TestSettings } from './running-server.js';
import { TEST_IDENTITY } from './tls-identity.js';

/** A server with all its upstreams, on the loopback. */
export interface ConformanceWorld {
  readonly server: TestServer;
  /** Names, addresses and keys for the checks. */
  readonly subjects: Subjects;
}

const DOMAIN = 'example.com';
const RDAP_HOST = 'rdap.test-upstream.example.com';
const WHOIS_ROOT = 'whois.test-root.example.com';

/** Starts the server with two keys and an online probe node. Everything is stopped at the end. */
export async function startConformanceWorld(
  t: Lifetime,
  settings: TestSettings = {},
): Promise<ConformanceWorld> {
  const port43 = await WhoisServer.start('127.0.0.1', 0, { '*': '% This query returned 0 objects.\r\n' });
  t.teardown(() => port43.close());
  const doh = await DohServer.start(DOH_ANSWERS);
  t.teardown(() => doh.close());
  const target = await acceptingTarget(t);
  const server = await runServer(t, {
    dnsServers: [await zoneServer(t, ZONE)],
    rdapDirs: [await startRegistry(t)],
    upstreams: {
      whoisRoot: WHOIS_ROOT,
      whoisPort: port43.port,
      dohResolvers: Array.from({ length: 14 }, (_, i) => doh.resolver(`Resolver ${i}`)),
      extraAuthorities: TEST_IDENTITY.authority,
    },
    nodeTimes: { pollMs: 100 },
    ...settings,
  });
  await startNode(t, server);
  const [key, enterpriseKey] = await Promise.all([server.key('pro'), server.key('enterprise')]);
  const subjects: Subjects = {
    key,
    enterpriseKey,
    domain: DOMAIN,
    host: `www.${DOMAIN}`,
    open: `open.${DOMAIN}:${target.port}`,
    failing: `broken.${DOMAIN}`,
    hidden: `hidden.${DOMAIN}`,
    refusedPort: '25',
    manyPorts: `open.${DOMAIN}`,
    ip: '1.1.1.1',
    asn: 13_335,
    prefix: '1.1.1.0/24',
  };
  return { server, subjects };
}

const ZONE: Zone = {
  [DOMAIN]: [
    { type: 'A', ttl: 300, data: '1.1.1.1' },
    { type: 'NS', ttl: 86_400, data: `ns1.${DOMAIN}` },
    { type: 'MX', ttl: 300, data: { preference: 10, exchange: `mx.${DOMAIN}` } },
    { type: 'TXT', ttl: 300, data: ['v=spf1 ', '-all'] },
    { type: 'SRV', ttl: 300, data: { priority: 1, weight: 5, port: 443, target: `www.${DOMAIN}` } },
    { type: 'CAA', ttl: 300, data: { flags: 0, tag: 'issue', value: 'ca.example.com' } },
    {
      type: 'SOA',
      ttl: 3600,
      data: {
        mname: `ns1.${DOMAIN}`,
        rname: `hostmaster.${DOMAIN}`,
        serial: 2_026_112_101,
        refresh: 7200,
        retry: 3600,
        expire: 1_209_600,
        minimum: 300,
      },
    },
  ],
  [`www.${DOMAIN}`]: [
    { type: 'A', ttl: 300, data: '1.1.1.1' },
    { type: 'AAAA', ttl: 300, data: '2606:4700:4700::1111' },
  ],
  [`open.${DOMAIN}`]: [{ type: 'A', ttl: 300, data: '127.0.0.1' }],
  [`hidden.${DOMAIN}`]: [{ type: 'A', ttl: 300, data: '10.0.0.1' }],
  [`broken.${DOMAIN}`]: 'servfail',
  '1.1.1.1.in-addr.arpa': [{ type: 'PTR', ttl: 300, data: `one.${DOMAIN}` }],
  [RDAP_HOST]: [{ type: 'A', ttl: 300, data: '127.0.0.1' }],
  [WHOIS_ROOT]: [{ type: 'A', ttl: 300, data: '127.0.0.1' }],
};

const DOH_ANSWERS = {
  [`www.${DOMAIN}`]: [
    { type: 'A', name: `www.${DOMAIN}`, ttl: 60, data: '1.1.1.1' },
    { type: 'AAAA', name: `www.${DOMAIN}`, ttl: 60, data: '2606:4700:4700::1111' },
  ],
} as const;

const REGISTRATIONS: Readonly<Record<string, unknown>> = {
  [`/domain/${DOMAIN}`]: WHOLE_DOMAIN,
  '/ip/1.1.1.1': APNIC_NETWORK,
  '/ip/1.1.1.0/24': APNIC_NETWORK,
  '/autnum/13335': APNIC_AUTNUM,
};

/** Starts an RDAP server. Returns the folder with its bootstrap files. */
async function startRegistry(t: Lifetime): Promise<string> {
  const { port } = await startUpstream(t, (request: IncomingMessage, response: ServerResponse) => {
    const found = REGISTRATIONS[request.url ?? ''];
    response.writeHead(found === undefined ? 404 : 200);
    response.end(JSON.stringify(found ?? { errorCode: 404, title: 'not found' }));
  });
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-rdap-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const served = { dns: 'com', ipv4: '1.0.0.0/8', ipv6: '2001:600::/23', asn: '1-70000' };
  for (const [name, key] of Object.entries(served)) {
    const services = [[[key], [`https://${RDAP_HOST}:${port}/`]]];
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ services }));
  }
  return folder;
}

/** Starts a registered agent and waits until it is listed. */
async function startNode(t: Lifetime, server: TestServer): Promise<void> {
  const registry = await testNodeStore(t, server.redis.url);
  const { token } = await registry.add(place('local-1'));
  await startTestAgent(t, { servers: [server.url], token, names: { [`open.${DOMAIN}`]: ['127.0.0.1'] } });
  // Each call counts in the minute of the checks.
  for (let looks = 0; looks < 15; looks++) {
    await sleep(200);
    const { body } = await server.get('/api/nodes');
    if ((body as { data: unknown[] }).data.length > 0) return;
  }
  throw new Error('the probe node never came online');
}
