import { join } from 'node:path';
import t from 'tap';
import { formatPrefix } from '../net/prefix.js';
import { openDataset, type Dataset } from './dataset.js';
import { networksOf } from './networks.js';
import { writeDatasets } from './testing/small-datasets.js';
import { deciderOf, parseCondition } from './where.js';

const dir = t.testdir();
writeDatasets(dir);

/** Returns the networks of a dataset that meet the conditions. */
async function selected(name: string, ...texts: readonly string[]): Promise<string[]> {
  const dataset = await openDataset(join(dir, name));
  const filters = texts.map(parseCondition).map(async (condition) => {
    const file = deciderOf(dataset, condition.key);
    const decider: Dataset = file === undefined ? dataset : await openDataset(join(dir, file));
    return { dataset: decider, condition };
  });
  const networks = networksOf(dataset, await Promise.all(filters));
  const found: string[] = [];
  while (networks.next()) found.push(formatPrefix(networks.address, networks.length));
  return found;
}

t.test('without filters all networks are exported in address order', async (t) => {
  t.same(await selected('geo.mmdb'), [
    ...['1.0.0.0/24', '1.0.1.0/24', '1.0.2.0/24', '8.8.0.0/16'],
    ...['2001:4860::/32', '240e::/20'],
  ]);
});

t.test('a filter keeps the networks with one of its values', async (t) => {
  t.same(await selected('geo.mmdb', 'country=us'), ['8.8.0.0/16', '2001:4860::/32']);
  t.same(await selected('geo.mmdb', 'country=US,CN'), await selected('geo.mmdb', 'country=*'));
  t.same(await selected('geo.mmdb', 'country=FR'), []);
  t.same(await selected('asn.mmdb', 'as=AS15169,4134'), ['1.0.0.0/25', '8.8.8.0/24', '2001:4860::/32']);
  t.same(await selected('isp.mmdb', 'proxy=*'), ['8.8.9.0/24', '240e::/32']);
  t.same(await selected('isp.mmdb', 'proxy=VPN', 'cloud=Google'), []);
  t.same(await selected('isp.mmdb', 'cloud=google'), ['8.8.8.0/25']);
});

t.test('a filter on another dataset divides networks where that dataset does', async (t) => {
  t.same(await selected('geo.mmdb', 'as=15169'), ['8.8.8.0/24', '2001:4860::/32']);
  t.same(await selected('geo.mmdb', 'as=*', 'country=CN'), ['1.0.0.0/25', '1.0.1.0/24']);
  t.same(await selected('isp.mmdb', 'country=CN'), ['240e::/32']);
  t.same(await selected('asn.mmdb', 'country=US', 'cloud=*'), ['8.8.8.0/25']);
});

t.test('an invalid filter is refused with what is allowed', (t) => {
  for (const text of ['', 'country', 'country=', 'planet=Mars', '__proto__=x', 'country=US,,CN', '=US'])
    t.throws(() => parseCondition(text), { name: 'ExportError', message: /expected country=CN,HK/ }, text);
  for (const text of ['as=ASX', 'as=4294967296', 'as=-1'])
    t.throws(() => parseCondition(text), { name: 'ExportError', message: /invalid AS number/ }, text);
  t.end();
});
