import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { Tally } from '../input/tally.js';
import { formatPrefix } from '../net/prefix.js';
import { allocatedIpv6, IPV6_ASSIGNMENTS, readAddressBlocks } from './iana-blocks.js';

const bundled = readFileSync(join(PROJECT_ROOT, 'fixtures/feeds/iana', IPV6_ASSIGNMENTS), 'utf8');

/** Returns the allocated blocks of a copy as texts. */
function allocatedIn(xml: string): Set<string> {
  const blocks = allocatedIpv6(readAddressBlocks(xml, new Tally()));
  return new Set(blocks.map(({ address, length, family }) => formatPrefix(address, length, family)));
}

/** Returns the copy of the end of a year: without the records of later years. */
function copyOf(year: number): string {
  return bundled.replace(/<record date="(\d{4})[\s\S]*?<\/record>/g, (record, date) => {
    return Number(date) > year ? '' : record;
  });
}

t.test('a copy that is older than the bundled one has its allocations', (t) => {
  const all = allocatedIn(bundled);
  t.ok(all.has('2a10::/12') && all.has('2630::/12') && all.has('2c00::/12'));
  t.notOk(all.has('2d00::/8'), 'reserved');
  for (const year of [2006, 2012, 2018]) {
    t.not(copyOf(year), bundled);
    t.same([...allocatedIn(copyOf(year))].sort(), [...all].sort(), `${year}`);
  }
  t.end();
});
