import t from 'tap';
import { isAllowScope } from '../lists/proxy/allow-scopes.js';
import { parseAddress } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { allowList, ALLOWED_SPACE, builtInAllowList, type AllowedSpace } from './allowed-space.js';
import { decide, listing } from './testing/listings.js';

const scopesAt = ({ table, claims }: ReturnType<typeof allowList>, address: string) => {
  const match = table.lookup(parseAddress(address)!.address);
  return match && claims[match.recordId]?.allow;
};

t.test('public resolvers and placeholders in examples are allowed, their neighbours are not', (t) => {
  const list = builtInAllowList();
  for (const address of [
    '1.1.1.1',
    '1.0.0.1',
    '8.8.8.8',
    '8.8.4.4',
    '9.9.9.9',
    '149.112.112.112',
    '208.67.222.222',
    '208.67.220.220',
    '1.2.3.4',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2620:fe::fe',
    '2620:119:35::35',
    '2620:119:53::53',
  ]) {
    t.same(scopesAt(list, address), ['*'], address);
  }
  for (const address of ['1.1.2.1', '8.8.9.8', '1.2.3.5', '2606:4700::1']) {
    t.equal(scopesAt(list, address), undefined, address);
  }
  t.end();
});

t.test('a resolver in a list of proxies is not a proxy', (t) => {
  const { claims } = builtInAllowList();
  const open = listing('open-proxies', { type: 'PUB' });
  t.match(decide([open, listing('built-in', claims[0]!)]), {
    isProxy: false,
    dropped: ['open-proxies allowed'],
  });
  t.match(decide([open]), { isProxy: true });
  t.end();
});

t.test('every row is a prefix without host bits, has a known scope, a reason and a source', (t) => {
  for (const { prefixes, scope, reason, source } of ALLOWED_SPACE) {
    for (const text of prefixes) t.match(parsePrefix(text), { hadHostBits: false }, text);
    t.ok(isAllowScope(scope), scope);
    t.ok(reason.length > 0);
    t.match(source, /^https:\/\//);
  }
  t.end();
});

t.test('an allowance of a prefix applies to every prefix inside it', (t) => {
  const space = (prefix: string, scope: string): AllowedSpace => ({
    prefixes: [prefix],
    scope,
    reason: 'test',
    source: 'https://example.net',
  });
  const list = allowList([
    space('24.0.0.7/32', 'PUB'),
    space('24.0.0.0/24', 'VPN'),
    space('24.0.0.7/32', 'tor'),
    space('24.0.0.0/16', 'VPN'),
  ]);
  t.same(scopesAt(list, '24.0.0.7'), ['PUB', 'VPN', 'tor']);
  t.same(scopesAt(list, '24.0.0.8'), ['VPN']);
  t.same(scopesAt(list, '24.0.1.7'), ['VPN']);
  t.equal(scopesAt(list, '24.1.0.7'), undefined);
  t.throws(() => allowList([space('24.0.0.0/33', '*')]), /invalid prefix/);
  t.end();
});
