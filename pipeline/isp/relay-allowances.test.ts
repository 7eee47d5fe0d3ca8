import t from 'tap';
import { Reader } from 'maxmind';
import type { ListInput } from './isp-inputs.js';
import { ispDataset } from './isp-dataset.js';
import { fileOf, listOf, inputsOf } from './testing/isp-inputs.js';
import { TODAY } from './testing/listings.js';
import { relayAllowances } from './relay-allowances.js';

const RANGES = listOf('x4bnet', { '172.224.0.0/16': { type: 'VPN' }, '172.225.0.0/16': { type: 'DCH' } });
const EXITS = listOf('tor', { '172.224.226.9/32': { type: 'TOR' } });
const OPEN = listOf('open-proxies', { '172.224.226.8/32': { type: 'PUB' } });
const CLOUDS = listOf('aws', { '172.224.226.0/25': { cloud: 'Amazon AWS', usageType: 'DCH' } });
const RELAYS = listOf('apple-relay', {
  '172.224.226.0/24': { type: 'CPN', provider: 'Apple iCloud Private Relay', usageType: 'DCH' },
  '172.225.226.0/24': { type: 'CPN' },
  '172.230.0.0/24': { type: 'CPN' },
});

/** Returns a lookup in a file of these lists, with other lists left out of it. */
function fileBeside(leftOut: readonly ListInput[], lists = [RANGES, EXITS, OPEN, CLOUDS]) {
  const dataset = ispDataset(inputsOf({ lists: [...lists, ...relayAllowances(leftOut)] }));
  const reader = new Reader<{ isp: string; proxy?: { type?: string }; is_anonymous?: boolean }>(
    fileOf(dataset),
  );
  return (ip: string) => reader.get(ip);
}

t.test('a relay of a list that is left out has no record, and is not a VPN inside a VPN range', (t) => {
  t.match(fileBeside([])('172.224.226.200'), { proxy: { type: 'VPN' } }, 'without the allowance it is a VPN');
  const get = fileBeside([RELAYS]);
  t.equal(get('172.224.226.200'), null, 'nor is the relay named');
  t.equal(get('172.230.0.1'), null);
  t.match(get('172.224.1.1'), { is_anonymous: true, proxy: { type: 'VPN' } });
  t.end();
});

t.test('such a relay is not an open proxy; a Tor exit and the surrounding cloud are kept', (t) => {
  const get = fileBeside([RELAYS]);
  t.match(get('172.224.226.9'), { proxy: { type: 'TOR' } });
  t.match(get('172.224.226.8'), {
    cloud: { provider: 'Amazon AWS' },
    proxy: undefined,
    is_anonymous: undefined,
  });
  t.match(get('172.225.226.1'), { proxy: { type: 'DCH' } });
  t.end();
});

t.test('lists that name other types, the operator’s own and outdated ones give no allowances', (t) => {
  const at = '172.224.226.200';
  const others: readonly ListInput[] = [
    listOf('ip2proxy', { '172.224.226.0/24': { type: 'CPN' }, '9.9.9.0/24': { type: 'VPN' } }),
    listOf('operator-lists', { '172.224.226.0/24': { type: 'CPN', isOwn: true } }),
    listOf('operator-lists', { '172.224.226.0/24': { allow: ['*'] } }),
    { ...RELAYS, day: TODAY - 91, maxAgeDays: 90 },
  ];
  for (const list of others) t.match(fileBeside([list])(at), { proxy: { type: 'VPN' } }, list.id);
  t.end();
});
