import t from 'tap';
import { z } from 'zod';
import { FieldNames, pickFields } from './fields.js';

const names = new FieldNames(
  z.strictObject({
    ip: z.string(),
    bgp: z.strictObject({
      as: z.int().nullable(),
      peers: z.array(z.strictObject({ asn: z.int(), name: z.string() })),
      line: z.string().exactOptional(),
    }),
    city: z.string(),
  }),
);
const RECORD = { ip: '9.9.9.9', bgp: { as: 1, peers: [{ asn: 2, name: 'two' }] }, city: '' };
const pick = (text: string): unknown => pickFields(RECORD, names.choose(text)!);

t.test('decision 80: the chosen fields keep the order and the levels of the answer', (t) => {
  t.equal(JSON.stringify(pick('city,ip')), '{"ip":"9.9.9.9","city":""}');
  t.equal(JSON.stringify(pick('city,bgp.as')), '{"bgp":{"as":1},"city":""}');
  t.same(pick('bgp.peers.name'), { bgp: { peers: [{ name: 'two' }] } });
  t.same(pick('ip,ip'), { ip: '9.9.9.9' });
  t.end();
});

t.test('decision 80: a whole field includes the fields in it, in either order', (t) => {
  for (const text of ['bgp', 'bgp,bgp.as', 'bgp.as,bgp', 'bgp.peers.asn,bgp'])
    t.same(pick(text), { bgp: RECORD.bgp });
  t.end();
});

t.test('decision 80: a field that the answer lacks stays absent', (t) => {
  t.same(pick('bgp.line,ip'), { ip: '9.9.9.9', bgp: {} });
  t.end();
});

t.test('decision 80: without names the answer is whole', (t) => {
  t.equal(names.choose(undefined), undefined);
  t.equal(names.choose(''), undefined);
  t.end();
});

t.test('decision 80: the first unknown name is code 400, and long ones are cut', (t) => {
  for (const text of [
    'ip,no,none',
    'no',
    'ip,,city',
    ',',
    ' ip',
    'IP',
    'bgp.',
    'bgp.as.x',
    '.',
    '__proto__',
    'bgp.peers[]',
  ])
    t.throws(
      () => names.choose(text),
      { code: 400, message: /^unknown name ".*" in `fields`: .*openapi\.json/ },
      text,
    );
  t.throws(() => names.choose('ip,no,none'), { message: /^unknown name "no" / });
  t.throws(() => names.choose('x'.repeat(5000)), { message: /^.{1,200}$/ });
  t.end();
});

t.test('the schema of the parameter lists every name', (t) => {
  t.match(z.toJSONSchema(names.schema, { io: 'input' }), {
    type: 'array',
    items: {
      enum: ['ip', 'bgp', 'bgp.as', 'bgp.peers', 'bgp.peers.asn', 'bgp.peers.name', 'bgp.line', 'city'],
    },
  });
  t.end();
});
