import t from 'tap';
import { compareAddresses, parseAddress } from './address.js';
import { formatPrefix } from './prefix.js';
import { RegistryError } from './registry-xml.js';
import { ALWAYS_RESERVED, parseSpecialPurposeRegistry } from './special-purpose.js';

const registry = (...records: readonly string[]): string =>
  `<registry>${records.map((record) => `<record>${record}</record>`).join('')}</registry>`;

t.test('rows have prefix, name and reachability; one row may have several prefixes and footnotes', (t) => {
  const ranges = parseSpecialPurposeRegistry(
    registry(
      '<address>10.0.0.0/8</address><name>Private-Use</name><global>False</global>',
      '<address>192.0.0.170/32,<xref data="1"/> 192.0.0.171/32</address><name>DNS64</name><global>N/A</global>',
      '<address>64:ff9b::/96</address><name>Translation</name><global>True</global>',
      '<address>2001:10::/28</address><name>Deprecated</name><global></global>',
    ),
  );
  t.same(
    ranges.map(({ prefix, name, globallyReachable }) => [
      formatPrefix(prefix.address, prefix.length, prefix.family),
      name,
      globallyReachable,
    ]),
    [
      ['10.0.0.0/8', 'Private-Use', false],
      ['192.0.0.170/32', 'DNS64', false],
      ['192.0.0.171/32', 'DNS64', false],
      ['64:ff9b::/96', 'Translation', true],
      ['2001:10::/28', 'Deprecated', false],
    ],
  );
  t.end();
});

t.test('a registry without rows, or with an invalid prefix or boolean, is refused', (t) => {
  const row = (address: string, global: string): string =>
    registry(`<address>${address}</address><global>${global}</global>`);
  const refused: readonly (readonly [string, RegExp])[] = [
    ['<registry></registry>', /no <record> with an <address>/],
    [registry('<name>no address</name>'), /no <record> with an <address>/],
    [row('10.0.0.0/33', 'True'), /invalid prefix "10\.0\.0\.0\/33"/],
    [row('10.0.0.0/8 and more', 'True'), /invalid prefix "and"/],
    [row('10.0.0.0/8', 'maybe'), /invalid Globally Reachable value "maybe" of 10\.0\.0\.0\/8/],
  ];
  for (const [xml, message] of refused) {
    t.throws(() => parseSpecialPurposeRegistry(xml), { name: RegistryError.name, message }, xml);
  }
  t.end();
});

t.test('space that is always reserved is disjoint and in order', (t) => {
  const bounds = ALWAYS_RESERVED.flatMap(({ start, end }) => [start, end]);
  const addresses = bounds.map((text) => parseAddress(text)!.address);
  t.same(addresses, [...addresses].sort(compareAddresses));
  t.end();
});
