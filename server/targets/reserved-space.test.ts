import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { commonBits, formatAddress } from '../../pipeline/net/address.js';
import { parseSpecialPurposeRegistry } from '../../pipeline/net/special-purpose.js';
import { readReservedSpace, ReservedSpace } from './reserved-space.js';

const REGISTRY_DIR = fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url));
const rows = (
  await Promise.all(
    ['ipv4', 'ipv6'].map((family) =>
      readFile(join(REGISTRY_DIR, `iana-${family}-special-registry.xml`), 'utf8').then(
        parseSpecialPurposeRegistry,
      ),
    ),
  )
).flat();
const reserved = await readReservedSpace(REGISTRY_DIR);

/** The first or last address of a prefix in the 128-bit space. */
function edge({ address, length }: (typeof rows)[number]['prefix'], bit: 0 | 1): Uint32Array {
  return address.map((word, i) => {
    const hostBits = Math.min(Math.max((i + 1) * 32 - length, 0), 32);
    const hosts = hostBits === 32 ? 0xffff_ffff : 2 ** hostBits - 1;
    return bit === 1 ? (word | hosts) >>> 0 : word;
  });
}

t.test('decision 20: first and last address of every prefix that IANA lists', (t) => {
  for (const { prefix, name, globallyReachable } of rows) {
    for (const address of [edge(prefix, 0), edge(prefix, 1)]) {
      // The longest row around the address decides; outside 2000::/3 all is reserved.
      const around = rows
        .filter((row) => row.prefix.family === prefix.family)
        .filter((row) => commonBits(row.prefix.address, address) >= row.prefix.length)
        .sort((a, b) => b.prefix.length - a.prefix.length)[0];
      const outside = prefix.family === 6 && address[0]! >>> 29 !== 1;
      const ip = formatAddress(address, prefix.family);
      if (ip.startsWith('::ffff:')) continue;
      t.equal(
        reserved.has(ip),
        outside || around?.globallyReachable === false,
        `${ip} ${name} ${globallyReachable}`,
      );
    }
  }
  t.ok(rows.length > 40);
  t.end();
});

t.test('decision 20: reserved addresses and their public neighbours', (t) => {
  const table: readonly (readonly [string, boolean])[] = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...[
      '127.0.0.1',
      '169.254.1.1',
      '172.16.0.0',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.0.8',
      '192.0.2.1',
      '192.88.99.1',
    ],
    ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.255'],
    ...['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
    ...['::', '::1', '::808:808', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '5f00::1'],
    ...['fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1', '1fff:ffff::', '6000::', 'e000::'],
    ...['2001::1', '2001:1ff:ffff::', '2001:2::1', '2001:10::1', '2001:db8::1', '2002:808:808::1', '3fff::1'],
  ].map((ip) => [ip, true] as const);
  const free = [
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['172.15.255.255', '172.32.0.0', '192.0.0.9', '192.0.0.10', '192.31.196.1', '192.52.193.1'],
    ...['192.167.255.255', '192.169.0.0', '192.175.48.1', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2000::', '2001:200::1', '2001:1::1', '2001:1::2', '2001:1::3', '2001:3::1', '2001:4:112::1'],
    ...['2001:20::1', '2001:30::1', '2001:4860:4860::8888', '2003::1', '2620:4f:8000::1', '3fff:1000::1'],
  ].map((ip) => [ip, false] as const);
  for (const [ip, expected] of [...table, ...free]) t.equal(reserved.has(ip), expected, ip);
  t.end();
});

t.test('without registries, multicast, class E and all addresses outside 2000::/3 are reserved', (t) => {
  const bare = new ReservedSpace([]);
  for (const ip of ['224.0.0.1', '255.255.255.255', '::1', 'ff02::1', '1fff::', '4000::'])
    t.ok(bare.has(ip), ip);
  for (const ip of ['10.0.0.1', '2001:db8::1', '223.255.255.255']) t.notOk(bare.has(ip), ip);
  t.throws(() => bare.has('no address'));
  t.end();
});

t.test('a folder without registries, or with other files in their place, is refused', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'registry-'));
  await t.rejects(readReservedSpace(dir), { code: 'ENOENT' });
  for (const family of ['ipv4', 'ipv6'])
    writeFileSync(join(dir, `iana-${family}-special-registry.xml`), '<html/>');
  await t.rejects(readReservedSpace(dir), { name: 'RegistryError' });
});
