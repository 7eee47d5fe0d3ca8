import { join } from 'node:path';
import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { PROJECT } from './testing/command-line.js';
import { reservedBlockOf } from './reserved-block.js';

const FEEDS = join(PROJECT, 'fixtures/feeds');

function nameOf(text: string): string | undefined {
  const { address, length } = parsePrefix(text)!;
  const block = reservedBlockOf(address, FEEDS, length);
  return block && `${block.name} ${block.prefix}`;
}

t.test('the most specific reserved block of an address or prefix has a name', (t) => {
  const blocks: readonly (readonly [string, string | undefined])[] = [
    ['10.0.0.1/32', 'Private-Use 10.0.0.0/8'],
    ['10.2.0.0/16', 'Private-Use 10.0.0.0/8'],
    ['192.0.2.0/24', 'Documentation (TEST-NET-1) 192.0.2.0/24'],
    ['192.0.0.0/24', 'IETF Protocol Assignments 192.0.0.0/24'],
    ['239.1.1.1/32', 'Multicast 224.0.0.0/4'],
    ['250.1.1.1/32', 'Reserved 240.0.0.0/4'],
    ['::1/128', 'Loopback Address ::1/128'],
    ['fe80::1/128', 'Link-Local Unicast fe80::/10'],
    ['ff02::1/128', 'Multicast ff00::/8'],
    ['8.8.8.8/32', undefined],
    ['8.0.0.0/5', undefined],
    ['2606:4700::/32', undefined],
  ];
  for (const [text, expected] of blocks) t.equal(nameOf(text), expected, text);
  t.end();
});

t.test('a reachable assignment inside a reserved block is not reserved', (t) => {
  t.equal(nameOf('192.0.0.9/32'), undefined);
  t.end();
});
