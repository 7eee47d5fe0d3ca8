import t from 'tap';
import { ipatlas } from './testing/command-line.js';

t.test('variables that make no sense are code 64, and nobody is tried', async (t) => {
  const { code, stdout, stderr } = await ipatlas(t, { DNS_SERVERS: 'nonsense' }, 'doctor');
  t.same([code, stdout], [64, '']);
  t.match(stderr, /^ipatlas: DNS_SERVERS "nonsense" makes no sense: /);
});

t.test('where nothing can be reached, all is broken: code 1, soon, with a line for each', async (t) => {
  const began = performance.now();
  // Whatever the machine's network is, nothing outside may be connected to.
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
});
