import t from 'tap';
import { runServer } from '../testing/running-server.js';
import { SMALL_AS } from '../testing/small-records.js';

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
let callers = 0;
/** Each call comes from a new address, so limits do not interfere. */
const get = async (path: string) => {
  callers++;
  const address = `9.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
  const answer = await server.get(path, { 'X-Forwarded-For': address });
  t.equal(answer.status, 200, path);
  return answer.body;
};
const upstreams = (prefix: string) => get(`/api/prefix-upstreams?prefix=${encodeURIComponent(prefix)}`);

t.test('the profile of an AS, all fields', async (t) => {
  t.strictSame(await get(`/api/as-profile/${SMALL_AS.google}`), {
    code: 0,
    data: {
      ...{ asn: 15169, name: 'GOOGLE', entity: 'Google LLC', cc: 'US', registry: 'arin' },
      ...{ status: 'assigned', in_use: true, private: false },
      ...{ ipv4_prefix_count: 1, ipv6_prefix_count: 1 },
      ...{ ipv4_prefixes: ['8.8.8.0/24'], ipv6_prefixes: ['2001:4860::/32'] },
    },
  });
  const lists = { ipv4_prefix_count: 0, ipv6_prefix_count: 0, ipv4_prefixes: [], ipv6_prefixes: [] };
  t.strictSame(await get(`/api/as-profile/${SMALL_AS.neverAnnounced}`), {
    code: 0,
    data: {
      ...{ asn: 394977, name: '', entity: 'Silent Networks', cc: 'CA', registry: 'arin' },
      ...{ status: 'assigned', in_use: false, private: false, ...lists },
    },
  });
  t.match(await get('/api/as-profile/4199999999'), { code: 0, data: { asn: 4_199_999_999, name: 'LAST' } });
});

t.test('decision 36: a private AS number is marked as such, with empty lists', async (t) => {
  for (const asn of [64512, 65534, 4_200_000_000, 4_294_967_294])
    t.strictSame(await get(`/api/as-profile/${asn}`), {
      code: 0,
      data: {
        ...{ asn, name: '', entity: '', cc: '', registry: '', status: '', in_use: false, private: true },
        ...{ ipv4_prefix_count: 0, ipv6_prefix_count: 0, ipv4_prefixes: [], ipv6_prefixes: [] },
      },
    });
});

t.test('decision 36: an AS that is neither allocated nor announced is 404', async (t) => {
  for (const asn of [SMALL_AS.unknown, 0, 23456, 65535, 4_294_967_295])
    t.match(await get(`/api/as-profile/${asn}`), { code: 404, msg: /./ }, String(asn));
});

t.test('decision 36: an invalid AS number is 400, for profile and topology', async (t) => {
  const wrong = [
    ...['AS13335', 'as13335', '4294967296', '99999999999999999999', '-1', '+1', '1.0', '1e3', '0x10'],
    ...['%20', '1%20', '１３', 'NaN', '1,2', '%00', '13335%00', '%zz', '1%2F2', '__proto__'],
  ];
  for (const asn of wrong) {
    for (const path of ['as-profile', 'as-topo'])
      t.match(await get(`/api/${path}/${asn}`), { code: 400, msg: /./ }, `${path} ${asn}`);
  }
  t.match(await get('/api/as-profile/0000013335'), { code: 0, data: { asn: 13335 } });
});

t.test('decision 37: the topology of an AS, ranked by power', async (t) => {
  t.strictSame(await get(`/api/as-topo/${SMALL_AS.google}`), {
    code: 0,
    data: {
      asn: 15169,
      upstreams: [
        { asn: 6453, power: 10, name: 'AS6453' },
        { asn: 3356, power: 6, name: 'LEVEL3' },
      ],
      downstreams: [{ asn: 396982, power: 21, name: 'GOOGLE-CLOUD-PLATFORM' }],
      peers: [
        { asn: 13335, power: 9, name: 'CLOUDFLARENET' },
        { asn: 174, power: 2, name: '' },
      ],
    },
  });
  t.match(await get(`/api/as-topo/${SMALL_AS.cloudflare}`), {
    data: { upstreams: [], downstreams: [], peers: { length: 2 } },
  });
});

t.test('an AS without topology is 404, also a private one', async (t) => {
  for (const asn of [SMALL_AS.withoutTopology, SMALL_AS.neverAnnounced, SMALL_AS.unknown, 64512])
    t.match(await get(`/api/as-topo/${asn}`), { code: 404 }, String(asn));
});

const GOOGLE_UPSTREAMS = [
  { asn: 6453, count: 4 },
  { asn: 3356, count: 2 },
];

t.test(
  'decision 37: upstreams of a prefix; host bits are masked, and the answer repeats the input',
  async (t) => {
    const spellings = ['8.8.8.0/24', '8.8.8.8/24', '::ffff:8.8.8.0/120', '::ffff:808:8ff/120'];
    for (const prefix of [...spellings, '2001:4860::/32', '2001:4860::8888/32', '2001:4860:0:0:0:0:0:0/32'])
      t.strictSame(
        await upstreams(prefix),
        { code: 0, data: { prefix, origin_as: 15169, upstreams: GOOGLE_UPSTREAMS } },
        prefix,
      );
  },
);

t.test('decision 37: a covering prefix is found as well', async (t) => {
  for (const prefix of ['8.0.0.0/9', '8.8.8.8/9', '8.127.255.255/9'])
    t.strictSame(
      await upstreams(prefix),
      { code: 0, data: { prefix, origin_as: 3356, upstreams: [{ asn: 1299, count: 3 }] } },
      prefix,
    );
});

t.test('decision 37: exact match only: a longer or shorter prefix is 404', async (t) => {
  const others = ['8.8.8.0/25', '8.8.8.8/32', '8.8.8.0/23', '8.8.0.0/16', '8.0.0.0/8', '0.0.0.0/0'];
  for (const prefix of [...others, '2001:4860::/33', '2001:4860::/31', '::/0', '10.0.0.0/8', '9.9.9.0/24'])
    t.match(await upstreams(prefix), { code: 404, msg: /./ }, prefix);
  t.match(await upstreams('80.81.192.0/21'), { code: 404 }, 'allocated, and not announced');
});

t.test('decision 37: a MOAS prefix has the origin that most peers see, with all upstreams', async (t) => {
  t.strictSame(await upstreams('185.1.2.0/24'), {
    code: 0,
    data: {
      ...{ prefix: '185.1.2.0/24', origin_as: 13335 },
      upstreams: [
        { asn: 174, count: 7 },
        { asn: 3356, count: 5 },
      ],
    },
  });
  t.match(await upstreams('1.1.1.0/24'), { code: 0, data: { origin_as: 13335, upstreams: [] } });
});

t.test('an invalid prefix is 400', async (t) => {
  t.match(await get('/api/prefix-upstreams'), { code: 400, msg: /prefix/ });
  const wrong = [
    ...['', '8.8.8.8', '8.8.8.0/', '/24', '8.8.8.0/33', '8.8.8.0/-1', '8.8.8.0/024', '8.8.8.0/24/24'],
    ...['8.8.8/24', '08.8.8.0/24', '0x8.8.8.0/24', '::/129', '::ffff:8.8.8.0/129', 'fe80::%1/64', 'x/8'],
    ...['8.8.8.0/2 4', '8.8.8.0/1e1', '8.8.8.0/24\0', 'AS13335', '８.8.8.0/24', '8.8.8.0\\24'],
  ];
  for (const prefix of wrong) t.match(await upstreams(prefix), { code: 400 }, JSON.stringify(prefix));
});

t.test('decision 15: the first of several prefix parameters counts', async (t) => {
  t.match(await get('/api/prefix-upstreams?prefix=8.8.8.0/24&prefix=1.1.1.0/24'), {
    data: { prefix: '8.8.8.0/24' },
  });
});

t.test('decision 2: the group shares one bucket of 60 per minute', async (t) => {
  const paths = [
    ...['/api/as-profile/15169', '/api/as-topo/15169', '/api/prefix-upstreams?prefix=8.8.8.0/24'],
    ...['/api/peering-index/search?q=google', '/api/as-profile/x'],
  ];
  const left = [];
  for (const path of paths)
    left.push(
      (await server.get(path, { 'X-Forwarded-For': '8.8.8.1' })).headers.get('x-ratelimit-remaining'),
    );
  t.strictSame(left, ['59', '58', '57', '56', '55']);
});
