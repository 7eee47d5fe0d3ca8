import t from 'tap';
import { runServer } from '../testing/running-server.js';

interface Found {
  readonly nets: readonly { readonly asn: number }[];
  readonly facs: readonly { readonly id: number }[];
}

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
let callers = 0;
const ask = async (query: string) => {
  callers++;
  const answer = await server.get(`/api/peering-index/search${query}`, {
    'X-Forwarded-For': `9.9.9.${callers}`,
  });
  return answer.body as { code: number; data: Found };
};
const search = (q: string) => ask(`?q=${encodeURIComponent(q)}`);

t.test('decision 38: networks and facilities, all fields; unknown values are empty', async (t) => {
  t.strictSame(await search('google'), {
    code: 0,
    data: {
      nets: [{ asn: 15169, name: 'Google LLC', aka: 'Google, YouTube', info_type: '' }],
      facs: [],
    },
  });
  t.strictSame(await search('Equinix'), {
    code: 0,
    data: { nets: [], facs: [{ id: 58, name: 'Equinix FR5', city: 'Frankfurt', country: 'DE' }] },
  });
  t.strictSame((await search('nowhere')).data.facs, [
    { id: 900, name: 'Nowhere Hall', city: '', country: '' },
  ]);
});

t.test('decision 38: a number is found with and without AS, before names that contain it', async (t) => {
  for (const q of ['13335', 'AS13335', 'as13335', ' 13335 ', '\tAS13335\n'])
    t.match((await search(q)).data.nets[0], { asn: 13335, name: 'Cloudflare', aka: '' }, q);
  t.strictSame((await search('133351')).data.nets, [
    { asn: 133351, name: 'Straße und Ärger', aka: '', info_type: '' },
  ]);
  t.strictSame(await search('99999999999'), { code: 0, data: { nets: [], facs: [] } });
});

t.test('decision 38: names match anywhere, ignoring case, alternative names too', async (t) => {
  for (const q of ['YOUTUBE', 'outub', 'gle LL', 'GOOGLE llc'])
    t.match((await search(q)).data.nets, [{ asn: 15169 }], q);
  t.match((await search('uunet')).data.nets, [{ asn: 701 }]);
  t.match((await search('ärger')).data.nets, [{ asn: 133351 }]);
});

t.test('decision 38: at most 20 in each list', async (t) => {
  const { nets, facs } = (await search('example')).data;
  t.strictSame([nets.length, facs.length], [20, 20]);
});

t.test('decision 38: q is trimmed; fewer than two characters are 400', async (t) => {
  for (const query of ['', '?q=', '?q=a', '?q=%20%20a%20%20', '?q=%20', '?Q=google', '?q=7', '?q=&q=google'])
    t.match(await ask(query), { code: 400, msg: /q/ }, query);
  t.match(await ask('?q=go&q=x'), { code: 0, data: { nets: [{ asn: 15169 }] } }, 'decision 15: the first');
});

t.test('a query without a match gives two empty lists, and is not a regular expression', async (t) => {
  for (const q of [
    'nobody at all',
    '.*',
    '(((((',
    '\\d+',
    '%%',
    '\0\0',
    '__proto__',
    'Google\nCloudflare',
    '谷歌',
  ])
    t.strictSame(await search(q), { code: 0, data: { nets: [], facs: [] } }, JSON.stringify(q));
});
