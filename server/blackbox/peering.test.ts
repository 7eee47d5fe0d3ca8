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

t.test('R38: networks and facilities, field by field; what is unknown is empty', async (t) => {
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

t.test('R38: a number is found with and without AS, before networks that hold it', async (t) => {
  for (const q of ['13335', 'AS13335', 'as13335', ' 13335 ', '\tAS13335\n'])
    t.match((await search(q)).data.nets[0], { asn: 13335, name: 'Cloudflare', aka: '' }, q);
  t.strictSame((await search('133351')).data.nets, [
    { asn: 133351, name: 'Straße und Ärger', aka: '', info_type: '' },
  ]);
  t.strictSame(await search('99999999999'), { code: 0, data: { nets: [], facs: [] } });
});

t.test('R38: names match anywhere and in any case, other names too', async (t) => {
  for (const q of ['YOUTUBE', 'outub', 'gle LL', 'GOOGLE llc'])
    t.match((await search(q)).data.nets, [{ asn: 15169 }], q);
  t.match((await search('uunet')).data.nets, [{ asn: 701 }]);
  t.match((await search('ärger')).data.nets, [{ asn: 133351 }]);
});

t.test('R38: at most 20 in each list', async (t) => {
  const { nets, facs } = (await search('example')).data;
  t.strictSame([nets.length, facs.length], [20, 20]);
});

t.test('R38: q is trimmed, and 400 below two characters', async (t) => {
  for (const query of ['', '?q=', '?q=a', '?q=%20%20a%20%20', '?q=%20', '?Q=google', '?q=7', '?q=&q=google'])
    t.match(await ask(query), { code: 400, msg: /q/ }, query);
  t.match(await ask('?q=go&q=x'), { code: 0, data: { nets: [{ asn: 15169 }] } }, 'R15: the first counts');
});

t.test('what matches nothing is two empty lists, and text is no pattern', async (t) => {
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
