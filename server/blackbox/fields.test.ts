import t from 'tap';
import { pickFields, type FieldChoice } from '../lookup/fields.js';
import { RECORD_FIELDS } from '../lookup/record-encoder.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
const enterprise = { Authorization: `Bearer ${await server.key('enterprise')}` };
/** The documented schemas describe whole answers, so these are not checked against them. */
const bodyOf = async (path: string, headers: Record<string, string> = enterprise): Promise<unknown> =>
  (await fetch(server.url + path, { headers })).json();
interface Envelope {
  readonly code: number;
  readonly data: unknown;
}
const whole = async (path: string, headers = enterprise) =>
  (await server.get(path, headers)).body as Envelope;

/** Every name that the document lists for a parameter `fields`. */
async function namesOf(path: string): Promise<string[]> {
  const document = (await server.get('/openapi.json')).body as {
    paths: Record<string, { get: { parameters: { name: string; schema: { items: { enum: string[] } } }[] } }>;
  };
  return document.paths[path]!.get.parameters.find(({ name }) => name === 'fields')!.schema.items.enum;
}

t.test('decision 80: a lookup has the chosen fields in the order of the record', async (t) => {
  const { data } = (await whole(`/api/ip/${SMALL.google}?lang=en`)) as { data: Record<string, unknown> };
  const answer = await fetch(`${server.url}/api/ip/${SMALL.google}?lang=en&fields=bgp.as,asn,country_code`, {
    headers: enterprise,
  });
  t.equal(await answer.text(), '{"code":0,"data":{"country_code":"US","asn":15169,"bgp":{"as":15169}}}');
  t.ok(answer.headers.has('x-data-build'));
  const names = await namesOf('/api/ip/{target}');
  t.ok(['ip', 'is_anycast', 'bgp', 'bgp.line', 'bgp.peers.asn'].every((name) => names.includes(name)));
  for (const name of names) {
    const expected = pickFields(data, RECORD_FIELDS.choose(name) as FieldChoice);
    t.strictSame(
      await bodyOf(`/api/ip/${SMALL.google}?lang=en&fields=${name}`),
      { code: 0, data: expected },
      name,
    );
  }
});

t.test('decision 80: verdicts have the chosen fields', async (t) => {
  const path = `/api/ip/${SMALL.google}/sources?lang=en`;
  const { sources } = (await whole(path)).data as { sources: { source: string; country: string }[] };
  t.ok(sources.length > 0);
  t.strictSame(await bodyOf(`${path}&fields=sources.country,sources.source`), {
    code: 0,
    data: { sources: sources.map(({ source, country }) => ({ source, country })) },
  });
  t.strictSame(await bodyOf(`${path}&fields=ip`), { code: 0, data: { ip: SMALL.google } });
});

t.test(
  'decision 80: answers about the own address have the chosen fields, texts stay as they are',
  async (t) => {
    const from = { 'X-Forwarded-For': SMALL.google, Accept: 'application/json' };
    const data = { country_code: 'US', asn: 15169 };
    t.strictSame(await bodyOf('/api/ip?fields=asn,country_code', from), { code: 0, data });
    t.strictSame(await bodyOf('/json?fields=asn,country_code', from), data);
    t.strictSame(await bodyOf('/?fields=asn,country_code', from), data);
    const text = await fetch(`${server.url}/?fields=asn`, { headers: { ...from, Accept: 'text/plain' } });
    t.equal(await text.text(), `${SMALL.google}\n`);
  },
);

t.test('decision 80: a batch has the chosen fields of each record, and errors as before', async (t) => {
  const response = await fetch(`${server.url}/api/ip/batch?fields=country_code`, {
    method: 'POST',
    body: JSON.stringify({ ips: [SMALL.google, '127.1'] }),
    headers: enterprise,
  });
  t.strictSame(await response.json(), {
    code: 0,
    data: [{ country_code: 'US' }, { ip: '127.1', error: 'invalid IP or hostname' }],
  });
});

t.test('decision 80: an unknown name is code 400 everywhere, and costs no credits', async (t) => {
  const key = { Authorization: `Bearer ${await server.key('free')}` };
  const paths = [
    '/api/ip',
    '/json',
    '/?format=json',
    `/api/ip/${SMALL.google}`,
    `/api/ip/${SMALL.google}/sources`,
  ];
  for (const path of paths) {
    const { body } = await server.get(`${path}${path.includes('?') ? '&' : '?'}fields=ip,contry`, key);
    t.match(body, { code: 400, msg: /^unknown name "contry" in `fields`: .*openapi\.json/ }, path);
  }
  const batch = await server.post('/api/ip/batch?fields=%22%0d%0a', { ips: [SMALL.google] }, key);
  t.match(batch.body, { code: 400, msg: /^unknown name "\\"\\r\\n" / });
  t.match((await server.get('/api/user/usage', key)).body, { data: { today: 0 } });
  t.match(
    await bodyOf('/json?fields=bgp.as', { Accept: 'application/json' }),
    { code: 400 },
    'not in a flat record',
  );
});
