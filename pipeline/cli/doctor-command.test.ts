import t from 'tap';
import { ipatlas } from './testing/command-line.js';

t.test('invalid variables end with code 64 before any test runs', async (t) => {
  const { code, stdout, stderr } = await ipatlas(t, { DNS_SERVERS: 'nonsense' }, 'doctor');
  t.same([code, stdout], [64, '']);
  t.match(stderr, /^ipatlas: invalid DNS_SERVERS "nonsense": expected address or address:port/);
});

t.test(
  'without any network every check fails: code 1 within a minute, with a finding for each',
  async (t) => {
    const began = performance.now();
    // The test must not connect to anything outside this machine.
    const offline = { DNS_SERVERS: '127.0.0.1:1', EGRESS_DENY: '0.0.0.0/0,::/0' };
    const { code, stdout, stderr } = await ipatlas(t, offline, '--json', 'doctor');
    t.ok(performance.now() - began < 60_000);
    t.equal(code, 1);
    t.equal(stderr, '');
    const { ok, findings } = JSON.parse(stdout) as {
      ok: boolean;
      findings: { group: string; detail: string }[];
    };
    t.equal(ok, false);
    t.equal(findings.filter(({ group }) => group === 'DNS over HTTPS').length, 14);
    t.ok(findings.every(({ detail }) => detail !== ''));
  },
);
