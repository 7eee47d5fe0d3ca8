import { expect, expectData, expectShape, type CheckContext, type Check } from './check.js';
import * as shapes from './documented-shapes.js';
import { mismatches, type Shape } from './shape.js';

/** Checks of the 22 endpoints, in the order of `server/api.md`: each response has its documented shape. */
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

function enveloped(name: string, path: (context: CheckContext) => string, shape: Shape): Check {
  return {
    name,
    run: async (context) => {
      expectData(await context.client.once(path(context), { key: context.key }), shape);
    },
  };
}

function bare(name: string, path: (context: CheckContext) => string, shape: Shape): Check {
  return {
    name,
    run: async (context) => {
      expectShape(await context.client.ask(path(context)), shape);
    },
  };
}

async function checkPlainIp({ client }: CheckContext): Promise<void> {
  const { status, headers, text } = await client.ask('/ip');
  expect(status === 200, `HTTP ${status}`);
  expect((headers.get('content-type') ?? '').startsWith('text/plain'), 'content type is not text/plain');
  expect(
    /^[0-9a-f.:]+\n$/.test(text),
    `expected an address and a newline, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

async function checkBatch({ client, key, ip, host }: CheckContext): Promise<void> {
  const asked = [ip, 'not an address', host];
  const reply = await client.ask('/api/ip/batch', { key, json: { ips: asked } });
  expectData(reply, ['object']);
  const entries = (reply.body as { data: { ip: unknown; error?: unknown }[] }).data;
  expect(entries.length === asked.length, `${entries.length} entries for ${asked.length} targets`);
  entries.forEach((entry, i) => {
    const shape = entry.error === undefined ? shapes.IP_RECORD : shapes.FAILED_ENTRY;
    const [first] = mismatches(entry, shape, `data[${i}]`);
    expect(first === undefined, first ?? '');
  });
  expect(
    entries[1]?.error === 'invalid IP or hostname',
    'the second entry does not have the documented error',
  );
}

async function checkGlobalQuery({ client, host }: CheckContext): Promise<void> {
  const reply = await client.ask(`/dns_global/api/query?domain=${host}&type=A`);
  expectShape(reply, shapes.GLOBAL_ANSWER);
  const { error, source } = reply.body as { error?: string; source?: string };
  expect(error === undefined, `error: ${error ?? ''}`);
  expect(source === 'doh' || source === 'worker', `source is ${String(source)}`);
}

async function checkUsage({ client, key }: CheckContext): Promise<void> {
  const { daily } = expectData(await client.ask('/api/user/usage', { key }), shapes.USAGE);
  const dates = (daily as { date: string }[]).map(({ date }) => date);
  expect(dates.length === 30, `${dates.length} days, expected 30`);
  expect(
    dates.every((date, i) => i === 0 || dates[i - 1]! < date),
    'the days are not in ascending order',
  );
}

async function checkDownload({ client, enterpriseKey }: CheckContext): Promise<void> {
  const { status, headers, text } = await client.ask('/api/datasets/asn', {
    key: enterpriseKey,
    headers: { range: 'bytes=0-99' },
  });
  expect(status === 206, `HTTP ${status}, expected 206: ${text.slice(0, 120)}`);
  expect(
    headers.get('content-type') === 'application/octet-stream',
    'content type is not application/octet-stream',
  );
  expect(
    /attachment;.*\.mmdb/.test(headers.get('content-disposition') ?? ''),
    'Content-Disposition has no file name ending in .mmdb',
  );
  for (const [name, limit] of [
    ['Hourly', '5'],
    ['Daily', '30'],
  ] as const) {
    expect(headers.get(`x-dataset-${name}-limit`) === limit, `X-Dataset-${name}-Limit is not ${limit}`);
    expect(
      /^\d+$/.test(headers.get(`x-dataset-${name}-used`) ?? ''),
      `missing header X-Dataset-${name}-Used`,
    );
  }
}
