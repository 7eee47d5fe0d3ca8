import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { startWorker, WORKER_SECRET } from '../global-dns/testing/worker-server.js';
import { DnsServer } from '../testing/dns-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { describeFindings } from './describe-findings.js';
import { examine, type Examined } from './examine.js';

/** Everything on the loopback, and well. */
async function healthy(t: Test): Promise<Examined> {
  const name = 'o-o.myaddr.l.google.com';
  const doh = await DohServer.start({
    [name]: [{ type: 'TXT', name, ttl: 1, data: 'edns0-client-subnet 202.112.144.0/24' }],
  });
  t.teardown(() => doh.close());
  const local = { addresses: ['127.0.0.1'] };
  const dns = await DnsServer.start({
    'example.com': { addresses: ['9.9.9.9'] },
    'worker.test-upstream.example.com': local,
    'rdap.test-upstream.example.com': local,
    'whois.example.com': local,
  });
  t.teardown(() => dns.close());
  const whois = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(whois, 'listening');
  t.teardown(() => whois.close());
  const worker = await startWorker(t, { cf: { colo: 'FRA' } });
  const rdap = `https://rdap.test-upstream.example.com:${new URL(worker.url).port}/`;
  const rdapDir = t.testdir({
    'dns.json': JSON.stringify({
      services: [
        [['com'], [rdap]],
        [['net'], [rdap]],
      ],
    }),
  });
  return {
    ...{ dnsServers: [dns.address], egressDeny: [], allowLoopback: true },
    ...{ registryDir: REGISTRIES, rdapDirs: [rdapDir] },
    upstreams: {
      whoisRoot: 'whois.example.com',
      whoisPort: (whois.address() as AddressInfo).port,
      dohResolvers: [doh.resolver()],
      dnsWorker: { url: worker.url, secret: WORKER_SECRET },
      extraAuthorities: TEST_IDENTITY.authority,
    },
  };
}

t.test('whoever answers is well, with what was seen', async (t) => {
  const heard: string[] = [];
  const findings = await examine(await healthy(t), {
    onFinding: ({ group }, left) => heard.push(`${group} ${left}`),
  });
  const told = describeFindings(findings);
  t.match(told, /DNS servers\n {2}ok {6}127\.0\.0\.1:\d+: answers, with recursion \(\d+ ms\)/);
  t.match(
    told,
    /DNS over HTTPS\n {2}ok {6}0 Loopback: HTTP\/2, client subnet passed on, echoed with scope 24/,
  );
  t.match(told, /Edge worker\n {2}ok {6}worker\.\S+: answers NOERROR from FRA/);
  t.match(told, /RDAP servers\n {2}ok {6}rdap\.\S+: answers HTTP 405 over HTTP\/1\.1/);
  t.match(told, /Whois\n {2}ok {6}whois\.example\.com port \d+: takes connections at 127\.0\.0\.1/);
  t.match(told, /\n\nAll 5 checks are well\.$/);
  t.equal(heard.length, 5);
  t.match(heard.at(-1), / 0$/);
});

t.test('what is dead is broken, each with its reason, and soon', async (t) => {
  const config = await healthy(t);
  const gone = { name: 'Gone', url: 'https://doh.test-upstream.example.com:1/', addresses: ['127.0.0.1'] };
  const began = performance.now();
  const findings = await examine(
    {
      ...config,
      dnsServers: ['127.0.0.1:1'],
      upstreams: { ...config.upstreams, dohResolvers: [gone], whoisPort: 1 },
    },
    { onFinding: () => undefined, checkMs: 1500 },
  );
  t.ok(performance.now() - began < 8000);
  t.ok(findings.every(({ state }) => state === 'broken'));
  t.match(describeFindings(findings), /5 of 5 checks found something broken\. Is this machine online\?$/);
  t.ok(findings.every(({ detail }) => detail !== ''));
});

t.test(
  'silence takes no longer than the time of a check, and what does not fit into all is said',
  async (t) => {
    const config = await healthy(t);
    const dns = await DnsServer.start({ 'example.com': 'silence' });
    t.teardown(() => dns.close());
    const findings = await examine(
      { ...config, dnsServers: [dns.address] },
      { onFinding: () => undefined, checkMs: 300 },
    );
    t.match(findings[0], { group: 'DNS servers', state: 'broken', detail: /did not answer$/ });
    t.match(findings[1], { group: 'DNS over HTTPS' });
    const late = await examine(config, { onFinding: () => undefined, allMs: 0 });
    t.ok(late.every(({ detail }) => detail === 'not tried: the time was over'));
  },
);

t.test('a name server without recursion, and one that cannot resolve, are broken', async (t) => {
  const config = await healthy(t);
  const proud = createSocket('udp4').bind(0, '127.0.0.1');
  await once(proud, 'listening');
  t.teardown(() => proud.close());
  proud.on('message', (query, { port }) => {
    // A response with the question alone: QR is set, RA is not.
    query[2]! |= 0x80;
    proud.send(query, port, '127.0.0.1');
  });
  const servers = [`127.0.0.1:${proud.address().port}`];
  const [closed] = await examine(
    { ...config, dnsServers: servers },
    { onFinding: () => undefined, checkMs: 500 },
  );
  t.match(closed, { state: 'broken', detail: 'it offers no recursion' });
  const dns = await DnsServer.start({ 'example.com': 'servfail' });
  t.teardown(() => dns.close());
  const [finding] = await examine(
    { ...config, dnsServers: [dns.address] },
    { onFinding: () => undefined, checkMs: 500 },
  );
  t.match(finding, { state: 'broken', detail: 'it answers SERVFAIL for example.com' });
});
