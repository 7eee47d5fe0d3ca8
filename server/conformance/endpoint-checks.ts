import { expect, expectData, expectShape, type Bench, type Check } from './check.js';
import * as shapes from './documented-shapes.js';
import { misfits, type Shape } from './shape.js';

/** The twenty-two endpoints, in the order of the description: each answers as it is documented. */
export const ENDPOINTS: readonly Check[] = [
  enveloped('GET /api/ip', () => '/api/ip', shapes.IP_RECORD),
  bare('GET /json', () => '/json', shapes.FLAT_RECORD),
  { name: 'GET /ip', run: checkPlainIp },
  enveloped('GET /api/ip/{target}', ({ ip }) => `/api/ip/${ip}`, shapes.IP_RECORD),
  enveloped('GET /api/ip/{target}/sources', ({ ip }) => `/api/ip/${ip}/sources`, shapes.VERDICTS),
  { name: 'POST /api/ip/batch', run: checkBatch },
  enveloped('GET /api/whois/{target}', ({ domain }) => `/api/whois/${domain}`, shapes.WHOIS_RECORD),
  enveloped('GET /api/dns/{domain}', ({ domain }) => `/api/dns/${domain}`, shapes.DNS_RECORDS),
  enveloped('GET /api/dns/{domain}/{type}', ({ domain }) => `/api/dns/${domain}/NS`, shapes.DNS_OF_TYPE),
  {
    ...enveloped(
      'GET /api/tcping/{target}',
      ({ open }) => `/api/tcping/${open}?count=2`,
      shapes.PROBE_RESULT,
    ),
    needs: 'key',
  },
  enveloped('GET /api/as-profile/{asn}', ({ asn }) => `/api/as-profile/${asn}`, shapes.AS_PROFILE),
  enveloped('GET /api/as-topo/{asn}', ({ asn }) => `/api/as-topo/${asn}`, shapes.AS_TOPOLOGY),
  enveloped(
    'GET /api/prefix-upstreams',
    ({ prefix }) => `/api/prefix-upstreams?prefix=${prefix}`,
    shapes.PREFIX_UPSTREAMS,
  ),
  enveloped(
    'GET /api/peering-index/search',
    ({ asn }) => `/api/peering-index/search?q=${asn}`,
    shapes.PEERING_HITS,
  ),
  bare('GET /api/rdns', ({ ip }) => `/api/rdns?ips=${ip}`, shapes.REVERSE_NAMES),
  enveloped('GET /api/nodes', () => '/api/nodes', shapes.NODES),
  bare('GET /dns_global/api/regions', () => '/dns_global/api/regions', shapes.REGIONS),
  { name: 'GET /dns_global/api/query', run: checkGlobalQuery },
  { ...enveloped('GET /api/user/me', () => '/api/user/me', shapes.ACCOUNT), needs: 'key' },
  { name: 'GET /api/user/usage', needs: 'key', run: checkUsage },
  enveloped('GET /api/datasets/{dataset}/info', () => '/api/datasets/asn/info', shapes.DATASET),
  { name: 'GET /api/datasets/{dataset}', needs: 'enterpriseKey', run: checkDownload },
];

function enveloped(name: string, path: (bench: Bench) => string, shape: Shape): Check {
  return {
    name,
    run: async (bench) => {
      expectData(await bench.client.once(path(bench), { key: bench.key }), shape);
    },
  };
}

function bare(name: string, path: (bench: Bench) => string, shape: Shape): Check {
  return {
    name,
    run: async (bench) => {
      expectShape(await bench.client.ask(path(bench)), shape);
    },
  };
}

async function checkPlainIp({ client }: Bench): Promise<void> {
  const { status, headers, text } = await client.ask('/ip');
  expect(status === 200, `HTTP ${status}`);
  expect((headers.get('content-type') ?? '').startsWith('text/plain'), 'it is not text/plain');
  expect(/^[0-9a-f.:]+\n$/.test(text), `${JSON.stringify(text.slice(0, 60))} is no address and newline`);
}

async function checkBatch({ client, key, ip, host }: Bench): Promise<void> {
  const asked = [ip, 'not an address', host];
  const reply = await client.ask('/api/ip/batch', { key, json: { ips: asked } });
  expectData(reply, ['object']);
  const entries = (reply.body as { data: { ip: unknown; error?: unknown }[] }).data;
  expect(entries.length === asked.length, `${entries.length} entries for ${asked.length} targets`);
  entries.forEach((entry, i) => {
    const shape = entry.error === undefined ? shapes.IP_RECORD : shapes.FAILED_ENTRY;
    const [first] = misfits(entry, shape, `data[${i}]`);
    expect(first === undefined, first ?? '');
  });
  expect(entries[1]?.error === 'invalid IP or hostname', 'the second entry has not the documented error');
}

async function checkGlobalQuery({ client, host }: Bench): Promise<void> {
  const reply = await client.ask(`/dns_global/api/query?domain=${host}&type=A`);
  expectShape(reply, shapes.GLOBAL_ANSWER);
  const { error, source } = reply.body as { error?: string; source?: string };
  expect(error === undefined, `error: ${error ?? ''}`);
  expect(source === 'doh' || source === 'worker', `source is ${String(source)}`);
}

async function checkUsage({ client, key }: Bench): Promise<void> {
  const { daily } = expectData(await client.ask('/api/user/usage', { key }), shapes.USAGE);
  const dates = (daily as { date: string }[]).map(({ date }) => date);
  expect(dates.length === 30, `${dates.length} days instead of 30`);
  expect(
    dates.every((date, i) => i === 0 || dates[i - 1]! < date),
    'the days do not ascend',
  );
}

async function checkDownload({ client, enterpriseKey }: Bench): Promise<void> {
  const { status, headers, text } = await client.ask('/api/datasets/asn', {
    key: enterpriseKey,
    headers: { range: 'bytes=0-99' },
  });
  expect(status === 206, `HTTP ${status} instead of 206: ${text.slice(0, 120)}`);
  expect(headers.get('content-type') === 'application/octet-stream', 'it is not application/octet-stream');
  expect(
    /attachment;.*\.mmdb/.test(headers.get('content-disposition') ?? ''),
    'no file name that ends in .mmdb',
  );
  for (const [name, limit] of [
    ['Hourly', '5'],
    ['Daily', '30'],
  ] as const) {
    expect(headers.get(`x-dataset-${name}-limit`) === limit, `X-Dataset-${name}-Limit is not ${limit}`);
    expect(/^\d+$/.test(headers.get(`x-dataset-${name}-used`) ?? ''), `no X-Dataset-${name}-Used`);
  }
}
