import t from 'tap';
import { parseDay } from '../days.js';
import { tryContents, tryFiles, type ListTrial } from '../testing/list-trial.js';
import { ALLOWABLE_LISTS, allowScopeOf, isAllowScope } from './allow-scopes.js';
import { OPERATOR_LISTS } from './operator-lists.js';
import { PROXY_TYPES } from './proxy-types.js';

const ALLOW = 'own/allow-list.csv';
const DENY = 'own/deny-list.csv';
const claimsOf = (trial: ListTrial) => (address: string) => trial.claimAt(address);
const day = (text: string) => parseDay(text)!;

t.test('the fixtures give the expected claims', async (t) => {
  const trial = await tryFiles(OPERATOR_LISTS, [ALLOW, DENY]);
  const claimAt = claimsOf(trial);
  const [allowed, denied] = [trial.tally(ALLOW), trial.tally(DENY)];
  t.same(claimAt('203.0.114.5'), { allow: ['*'] });
  t.same(claimAt('203.0.114.200'), { allow: ['*', 'DCH'] }, 'scopes add up');
  t.same(claimAt('203.0.114.77'), { allow: ['*'], type: 'VPN', isOwn: true, lastSeen: day('2026-10-11') });
  t.same(claimAt('24.129.4.17'), { allow: ['RES', 'open-proxies'] });
  t.same(claimAt('2001:678:a40::1'), { allow: ['x4bnet'] });
  t.same(claimAt('78.109.16.1'), { allow: ['VPN'] }, 'of equal prefixes the allowance wins');
  t.same(claimAt('78.109.16.17'), { type: 'VPN', isOwn: true });
  t.match(claimAt('5.253.204.1'), { type: 'VPN', provider: 'Example VPN', lastSeen: day('2026-08-20') });
  t.same(
    claimAt('5.253.205.1'),
    { type: 'PUB', isOwn: true, lastSeen: day('2026-09-03') },
    'no field of a wider row',
  );
  t.equal(claimAt('24.129.4.16'), undefined);
  t.equal(trial.asns.size, 0);
  t.same([allowed.accepted, denied.accepted], [6, 5]);
  t.same(trial.rejections(ALLOW), ['address@10', 'columns@12', 'date@11', 'reference@9', 'reserved@13']);
  t.same(trial.rejections(DENY), ['reference@7']);
  t.same(allowed.notes, { 'host-bits': 1, duplicate: 1 });
  t.same(denied.notes, { duplicate: 1 }, 'a prefix in both files');
});

t.test(
  'each file is enough without the other, in any order, with a BOM, CRLF and columns in another order',
  async (t) => {
    const allow = '\ufeffscope,prefix,added\r\nTOR,24.0.0.0/24,2026-01-01\r\n*,24.0.0.7,';
    const deny = 'type,reason,prefix\nVPN,"a, b",24.0.0.0/16\n';
    const both = await tryContents(t, OPERATOR_LISTS, { [DENY]: deny, [ALLOW]: allow });
    t.same(both.claimAt('24.0.0.1'), { allow: ['TOR'], type: 'VPN', isOwn: true }, 'another type is allowed');
    t.same(both.claimAt('24.0.0.7'), { allow: ['*', 'TOR'] });
    t.same(both.claimAt('24.0.1.1'), { type: 'VPN', isOwn: true });
    const alone = await tryContents(t, OPERATOR_LISTS, { [ALLOW]: allow });
    t.same(alone.claimAt('24.0.0.1'), { allow: ['TOR'] });
    const denied = await tryContents(t, OPERATOR_LISTS, { [DENY]: deny });
    t.same(denied.claimAt('24.0.0.7'), { type: 'VPN', isOwn: true });
  },
);

t.test('the more specific of an allowed and a denied prefix wins on every level', async (t) => {
  const trial = await tryContents(t, OPERATOR_LISTS, {
    [ALLOW]: 'prefix,scope\n24.0.0.0/16,*\n24.0.0.128/25,VPN\n24.0.0.0/24,tor\n24.0.2.0/24,*\n',
    [DENY]:
      'prefix,type\n24.0.0.0/24,VPN\n24.0.0.192/26,VPN\n24.0.0.0/12,TOR\n24.0.2.0/25,PUB\n24.0.2.0/25,TOR\n',
  });
  const claimAt = claimsOf(trial);
  const type = (address: string) => claimAt(address)?.type;
  t.equal(type('24.1.0.1'), 'TOR', 'only denied');
  t.equal(type('24.0.1.1'), undefined, 'allowed inside');
  t.equal(type('24.0.0.1'), 'VPN', 'denied again; an allowance of one list does not apply to it');
  t.equal(type('24.0.0.129'), undefined, 'its type is allowed');
  t.equal(type('24.0.0.193'), 'VPN', 'and denied');
  t.equal(type('24.0.2.1'), 'PUB', 'the first of two rows for a prefix');
  t.same(claimAt('24.0.0.193')?.allow, ['*', 'VPN', 'tor'], 'allowances are kept for other lists');
});

t.test('only lists, types and the star are scopes', (t) => {
  for (const scope of ['*', ...ALLOWABLE_LISTS, ...PROXY_TYPES.keys()]) t.ok(isAllowScope(scope), scope);
  for (const scope of ['', 'vpn', '**', 'own', 'aws', 'toString', 'operator-lists'])
    t.notOk(isAllowScope(scope), scope);
  t.end();
});

t.test('a scope may be written in any case, which distinguishes a list from a type', (t) => {
  for (const [word, scope] of [
    ['vpn', 'VPN'],
    ['Pub', 'PUB'],
    ['tor', 'tor'],
    ['TOR', 'TOR'],
    ['Tor', 'TOR'],
    ['X4BNet', 'x4bnet'],
    ['proxies', undefined],
    ['', undefined],
  ] as const)
    t.equal(allowScopeOf(word), scope, word);
  t.end();
});

t.test('types in lower case and files from spreadsheets give the expected claims', async (t) => {
  const files: readonly [string, string, string][] = [
    ['commas', 'prefix,scope\n24.0.0.0/24,vpn\n', 'prefix,type,reason\n24.1.0.1,vpn,"a; b;; c"\n'],
    [
      'semicolons',
      '\ufeff"# ours; and theirs"\r\n\r\nprefix;scope\r\n24.0.0.0/24;Vpn\r\n',
      '#;a;note,with,many,commas,\r\n"prefix";"type";"reason"\r\n24.1.0.1;vpn;"a, b; c"\r\n',
    ],
    ['tabs', 'prefix\tscope\n24.0.0.0/24\tvPN', 'prefix\ttype\treason\n24.1.0.1\tVpn\ta, b; c'],
  ];
  for (const [what, allow, deny] of files) {
    const trial = await tryContents(t, OPERATOR_LISTS, { [ALLOW]: allow, [DENY]: deny });
    t.same(trial.claimAt('24.0.0.1'), { allow: ['VPN'] }, what);
    t.same(trial.claimAt('24.1.0.1'), { type: 'VPN', isOwn: true }, what);
    t.same(trial.log, [], what);
  }
});

t.test('the first rejected row is logged with its file, line and reason', async (t) => {
  const trial = await tryContents(t, OPERATOR_LISTS, {
    [ALLOW]: 'prefix;scope;added\n24.0.0.0/24;*;21.11.2026\n',
    [DENY]: '# types\nprefix,type\n24.0.0.1,VPN\n24.0.0.2,proxy\n24.0.0.300,VPN\n',
  });
  t.same(trial.log, [
    `${ALLOW}: 1 row is not used: line 2: invalid date, expected one like 2026-11-21: 24.0.0.0/24;*;21.11.2026`,
    `${DENY}: 2 rows are not used, first: line 4: unknown type or scope: 24.0.0.2,proxy`,
  ]);
  t.same(trial.rejections(DENY), ['address@5', 'reference@4']);
});

t.test('a file without a header, or with unknown columns, is refused', async (t) => {
  for (const [file, text] of [
    [ALLOW, '\n'],
    [ALLOW, '# nothing but a comment\n'],
    [ALLOW, '24.0.0.0/24,*,ours,2026-01-01\n'],
    [ALLOW, 'prefix,scope,until\n'],
    [DENY, 'prefix,provider\n'],
    [DENY, 'prefix,type,prefix\n'],
  ] as const) {
    await t.rejects(
      tryContents(t, OPERATOR_LISTS, { [file]: text }),
      { name: 'FeedError', refusal: 'header', file },
      text,
    );
  }
  await t.rejects(tryContents(t, OPERATOR_LISTS, { [ALLOW]: '<!DOCTYPE html>\n<html>' }), {
    name: 'FeedError',
    refusal: 'container',
  });
});

t.test('a file with a prefix wider than any operator’s is refused', async (t) => {
  await t.rejects(tryContents(t, OPERATOR_LISTS, { [ALLOW]: 'prefix,scope\n0.0.0.0/0,*\n' }), {
    name: 'FeedError',
    refusal: 'too-wide',
    file: ALLOW,
  });
});

t.test('a day that a claim cannot store rejects its row, not the list', async (t) => {
  const rows = ['24.0.0.1,VPN,9999-12-31', '24.0.0.2,VPN,1899-12-30', '24.0.0.3,VPN,2026-01-01'];
  const trial = await tryContents(t, OPERATOR_LISTS, { [DENY]: ['prefix,type,added', ...rows].join('\n') });
  t.same(trial.rejections(DENY), ['date@2', 'date@3']);
  t.same(trial.claims, [{ type: 'VPN', isOwn: true, lastSeen: day('2026-01-01') }]);
});

t.test('a file with only a header gives no claims', async (t) => {
  const { claims } = await tryContents(t, OPERATOR_LISTS, {
    [ALLOW]: 'prefix,scope\n',
    [DENY]: 'prefix,type\n',
  });
  t.same(claims, []);
});
