import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { commonBits, formatAddress, newAddress, parseAddress } from '../../pipeline/net/address.js';
import { parseSpecialPurposeRegistry } from '../../pipeline/net/special-purpose.js';
import type { Prefix } from '../../pipeline/net/prefix.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { EgressGuard, type EgressRules } from './egress-guard.js';
import { OwnAddresses } from './own-addresses.js';
import { REGISTRIES } from './testing/loopback-world.js';

const reserved = await readReservedSpace(REGISTRIES);
const guardWith = (rules: Partial<EgressRules> = {}) =>
  new EgressGuard({ reserved, denied: [], allowLoopback: false, ...rules });
const guard = guardWith();

const ROWS = ['iana-ipv4-special-registry.xml', 'iana-ipv6-special-registry.xml'].flatMap((name) =>
  parseSpecialPurposeRegistry(readFileSync(join(REGISTRIES, name), 'utf8')),
);

t.test(
  'decision 20: the first, last and inner addresses of a registry row are denied unless globally reachable',
  (t) => {
    for (const { prefix, globallyReachable, name } of ROWS) {
      // A mapped address is treated as its IPv4 address (decision 17).
      if (name === 'IPv4-mapped Address') continue;
      const isInnermost = (ip: string) => longestAround(ip)?.prefix === prefix;
      for (const ip of samplesOf(prefix).filter(isInnermost)) {
        const isAllowed = guard.allows(ip);
        if (!globallyReachable) t.notOk(isAllowed, `${ip} of ${name}`);
        // The registry also lists mapped and translated forms, and everything outside 2000::/3 is denied.
        else if (/^[23]|\./.test(ip)) t.ok(isAllowed, `${ip} of ${name}`);
      }
    }
    t.end();
  },
);

t.test('decision 20: a denied IPv4 address is denied in every IPv6 form that embeds it', (t) => {
  const inner = ROWS.filter(({ prefix, globallyReachable }) => prefix.family === 4 && !globallyReachable);
  for (const { prefix } of inner)
    for (const ip of samplesOf(prefix)) {
      if (guard.allows(ip)) continue;
      for (const form of formsOf(ip)) t.notOk(guard.allows(form), form);
    }
  t.end();
});

t.test('of the IPv6 forms of a public IPv4 address only the mapped one is allowed', (t) => {
  t.ok(guard.allows('8.8.8.8'));
  const [mapped, ...others] = formsOf('8.8.8.8');
  t.ok(guard.allows(mapped!));
  for (const form of others) t.notOk(guard.allows(form), form);
  t.end();
});

t.test('an invalid address or one with a zone is denied', (t) => {
  const texts = [
    '',
    ' ',
    'localhost',
    '8.8.8',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8:80',
    '0x08080808',
    '134744072',
    '010.8.8.8',
    '8.8.8.8/32',
    '2606:4700::1%eth0',
    '2606:4700::1%',
    'fe80::1%1',
    '[2606:4700::1]',
    '::ffff:8.8.8',
    '８.8.8.8',
  ];
  for (const text of texts) t.notOk(guard.allows(text), JSON.stringify(text));
  t.end();
});

t.test('deprecated 6to4 relay addresses are denied', (t) => {
  t.notOk(guard.allows('192.88.99.1'));
  t.end();
});

t.test('every IPv6 address outside 2000::/3 is denied', (t) => {
  for (const ip of [
    '::',
    '::2',
    '1fff::1',
    '4000::',
    '4000::1',
    '8000::1',
    'fec0::1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
  ]) {
    t.notOk(guard.allows(ip), ip);
  }
  t.ok(guard.allows('2606:4700::1111'));
  t.end();
});

t.test('loopback is only allowed by its option, in mapped form too', (t) => {
  const open = guardWith({ allowLoopback: true });
  for (const ip of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1']) {
    t.notOk(guard.allows(ip), ip);
    t.ok(open.allows(ip), ip);
  }
  for (const ip of ['0.0.0.0', '10.0.0.1', '::', '::127.0.0.1', '169.254.169.254', 'fe80::1']) {
    t.notOk(open.allows(ip), `${ip} with the option`);
  }
  t.end();
});

t.test('addresses the operator denies are denied in every spelling', (t) => {
  const denying = guardWith({
    denied: ['8.8.4.0/24', '9.9.9.9', '2606:4700::/32', '::ffff:1.1.0.0/112', '127.0.0.9'],
  });
  for (const ip of [
    '8.8.4.4',
    '::ffff:8.8.4.4',
    '::ffff:808:404',
    '9.9.9.9',
    '2606:4700::1111',
    '1.1.1.1',
    '::ffff:1.1.1.1',
  ]) {
    t.notOk(denying.allows(ip), ip);
    t.ok(guard.allows(ip), `${ip} without the list`);
  }
  for (const ip of ['8.8.8.8', '9.9.9.10', '2606:4701::1', '1.2.0.1']) t.ok(denying.allows(ip), ip);
  t.notOk(guardWith({ denied: ['127.0.0.9'], allowLoopback: true }).allows('127.0.0.9'), 'loopback too');
  t.throws(() => guardWith({ denied: ['nonsense'] }));
  t.end();
});

t.test("this machine's own addresses are denied, also after they change", (t) => {
  let nowMs = 0;
  let addresses = ['8.8.8.8'];
  const own = guardWith({ own: new OwnAddresses({ read: () => addresses, now: () => nowMs }) });
  t.notOk(own.allows('8.8.8.8'));
  t.notOk(own.allows('::ffff:8.8.8.8'));
  t.ok(own.allows('8.8.4.4'));
  addresses = ['8.8.4.4'];
  t.notOk(own.allows('8.8.8.8'), 'the list is not reread each time');
  nowMs = 120_000;
  t.notOk(own.allows('8.8.4.4'));
  t.ok(own.allows('8.8.8.8'));
  t.end();
});

t.test('by default the own addresses are those of the network interfaces', (t) => {
  const own = new OwnAddresses();
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) =>
    some.map(({ address }) => address),
  );
  for (const address of addresses) t.ok(own.has(address), address);
  t.notOk(own.has('8.8.8.8'));
  t.end();
});

/** Returns the most specific registry row that contains an address. */
function longestAround(ip: string) {
  const { address } = parseAddress(ip)!;
  return ROWS.filter(({ prefix }) => commonBits(prefix.address, address) >= prefix.length).sort(
    (a, b) => b.prefix.length - a.prefix.length,
  )[0];
}

/** Returns the first and last address of a prefix and some between. */
function samplesOf({ address, length, family }: Prefix): string[] {
  return [0, 0x1234_5678, 0x9abc_def0, 0x5555_5555, 0xffff_ffff].map((fill) => {
    const sample = newAddress();
    address.forEach((word, i) => {
      const kept = Math.min(Math.max(length - i * 32, 0), 32);
      const free = kept === 32 ? 0 : 0xffff_ffff >>> kept;
      sample[i] = (word | (fill & free)) >>> 0;
    });
    return formatAddress(sample, family);
  });
}

/** Returns the IPv6 addresses that embed an IPv4 address, the mapped one first. */
function formsOf(ip: string): string[] {
  const word = parseAddress(ip)!.address[3]!;
  const [high, low] = [(word >>> 16).toString(16), (word & 0xffff).toString(16)];
  const [notHigh, notLow] = [((~word >>> 16) & 0xffff).toString(16), (~word & 0xffff).toString(16)];
  // prettier-ignore
  return [
    `::ffff:${ip}`,
    `::${ip}`,
    // Translated (RFC 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380), ISATAP (RFC 5214).
    `::ffff:0:${ip}`, `64:ff9b::${ip}`, `64:ff9b:1::${ip}`, `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`, `2001::8000:0:${notHigh}:${notLow}`, `fe80::5efe:${ip}`,
  ];
}
