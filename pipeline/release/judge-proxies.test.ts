import t from 'tap';
import { judgeProxies } from './judge-proxies.js';

t.test('a counter that a release does not have is 0', (t) => {
  const judge = (now: Record<string, number>, before: Record<string, number>) =>
    judgeProxies({ now, before, hasNewList: false }).slice(0, 2);
  const one = { 'proxies.ipv4Addresses': 1, 'proxies.networks': 1 };
  t.same(judge({}, one), [
    { passed: false, found: 'proxy addresses 0 (0 % of 1)' },
    { passed: false, found: 'proxy networks 0 (0 % of 1)' },
  ]);
  t.same(judge(one, {}), [
    { passed: true, found: 'proxy addresses 1 (none in the last release)' },
    { passed: true, found: 'proxy networks 1 (none in the last release)' },
  ]);
  t.end();
});

t.test('a type is compared if it had at least 1,000 addresses, also if it is lost', (t) => {
  const before = { 'types.VPN.ipv4Addresses': 1000, 'types.TOR.ipv4Addresses': 999 };
  t.same(judgeProxies({ now: {}, before, hasNewList: false }).slice(2), [
    { passed: false, found: 'VPN addresses 0 (0 % of 1,000)' },
  ]);
  t.end();
});
