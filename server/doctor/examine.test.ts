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
import { examine, type DoctorConfig } from './examine.js';

/** Starts all upstreams on loopback. */
async function healthy(t: Test): Promise<DoctorConfig> {
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
    dnsServers: [dns.address],
    egressDeny: [],
    trustedProxies: [],
    addressEchoes: [{ host: 'echo.example.com', port: 1, name: 'myip.example.com', type: 'A' }],
    allowLoopback: true,
    registryDir: REGISTRIES,
    rdapDirs: [rdapDir],
    upstreams: {
      whoisRoot: 'whois.example.com',
      whoisPort: (whois.address() as AddressInfo).port,
      dohResolvers: [doh.resolver()],
      dnsWorker: { url: worker.url, secret: WORKER_SECRET },
      extraAuthorities: TEST_IDENTITY.authority,
    },
  };
}

t.test('every working upstream is ok, with what was observed', async (t) => {
  const progress: string[] = [];
  const findings = await examine(await healthy(t), {
    onFinding: ({ group }, left) => progress.push(`${group} ${left}`),
  });
  const report = describeFindings(findings);
  t.match(report, /DNS servers\n {2}ok {6}127\.0\.0\.1:\d+: answers with recursion \(\d+ ms\)/);
  t.match(
    report,
    /DNS over HTTPS\n {2}ok {6}0 Loopback: HTTP\/2, client subnet forwarded, echoed with scope 24/,
  );
  t.match(report, /Edge worker\n {2}ok {6}worker\.\S+: returned NOERROR from FRA/);
  t.match(report, /RDAP servers\n {2}ok {6}rdap\.\S+: returned HTTP 405 over HTTP\/1\.1/);
  t.match(report, /Whois\n {2}ok {6}whois\.example\.com port \d+: accepts connections at 127\.0\.0\.1/);
  t.match(
    report,
    /Settings\n {2}WARN {4}EGRESS_DENY: the public address .+\n {2}WARN {4}DNS server 127\.0\.0\.1:\d+: is in a private network/,
  );
  t.match(report, /\n\nAll 7 checks passed, 2 of them with a warning\.$/);
  t.equal(progress.length, 7);
  t.match(progress.at(-1), / 0$/);
});

t.test('every dead upstream is broken, with its reason and without long waits', async (t) => {
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
  const isSetting = ({ group }: { readonly group: string }): boolean => group === 'Settings';
  t.ok(findings.every((finding) => finding.state === (isSetting(finding) ? 'warning' : 'broken')));
  t.match(describeFindings(findings), /5 of 6 checks failed\. Is this machine online\?$/);
  t.ok(findings.every(({ detail }) => detail !== ''));
});

t.test(
  'a silent upstream takes no longer than the limit per check, and checks beyond the total limit are reported',
  async (t) => {
    const config = await healthy(t);
    const dns = await DnsServer.start({ 'example.com': 'silence' });
    t.teardown(() => dns.close());
    const findings = await examine(
      { ...config, dnsServers: [dns.address] },
      { onFinding: () => undefined, checkMs: 300 },
    );
    t.match(findings[0], { group: 'DNS servers', state: 'broken', detail: /did not answer$/ });
    t.match(findings[1], { group: 'Settings', state: 'warning' });
    t.match(findings[2], { group: 'DNS over HTTPS' });
    const late = await examine(config, { onFinding: () => undefined, allMs: 0 });
    t.ok(late.every(({ detail }) => detail === 'not tried: out of time'));
  },
);

t.test('a name server without recursion or with SERVFAIL is broken', async (t) => {
  const config = await healthy(t);
  const proud = createSocket('udp4').bind(0, '127.0.0.1');
  await once(proud, 'listening');
  t.teardown(() => proud.close());
  proud.on('message', (query, { port }) => {
    // A response with only the question: QR is set, RA is not.
    query[2]! |= 0x80;
    proud.send(query, port, '127.0.0.1');
  });
  const servers = [`127.0.0.1:${proud.address().port}`];
  const [closed] = await examine(
    { ...config, dnsServers: servers },
    { onFinding: () => undefined, checkMs: 500 },
  );
  t.match(closed, { state: 'broken', detail: 'offers no recursion' });
  const dns = await DnsServer.start({ 'example.com': 'servfail' });
  t.teardown(() => dns.close());
  const [finding] = await examine(
    { ...config, dnsServers: [dns.address] },
    { onFinding: () => undefined, checkMs: 500 },
  );
  t.match(finding, { state: 'broken', detail: 'returned SERVFAIL for example.com' });
});
