import t from 'tap';
import { encodePeeringIndex, peeringIndex, peeringIndexSchema } from './peering-index.js';
import { smallParts } from './testing/small-parts.js';

const peeringDb = smallParts({
  peeringDb: {
    networks: [
      {
        asn: 13335,
        name: 'Cloudflare',
        aka: 'CF "1.1.1.1"',
        infoType: 'Content',
        website: 'https://example.org',
      },
      { asn: 42, name: 'PCH\nAS42' },
    ],
    facilities: [
      { id: 9, name: 'Equinix DC', city: 'Ashburn', country: 'US' },
      { id: 1, name: '上海' },
    ],
  },
}).peeringDb!;

t.test('networks are sorted by AS number, facilities by id, and unknown fields are absent', (t) => {
  t.strictSame(peeringIndex(peeringDb), {
    nets: [
      { asn: 42, name: 'PCH\nAS42' },
      { asn: 13335, name: 'Cloudflare', aka: 'CF "1.1.1.1"', info_type: 'Content' },
    ],
    facs: [
      { id: 1, name: '上海' },
      { id: 9, name: 'Equinix DC', city: 'Ashburn', country: 'US' },
    ],
  });
  t.end();
});

t.test('a written index is read unchanged', (t) => {
  for (const { networks, facilities } of [peeringDb, { networks: [], facilities: [] }]) {
    const index = peeringIndex({ ...peeringDb, networks, facilities });
    const text = encodePeeringIndex(index);
    t.strictSame(peeringIndexSchema.parse(JSON.parse(text)), index);
    t.equal(text.endsWith('}\n'), true);
  }
  t.end();
});

t.test('the schema rejects a file of another shape', (t) => {
  for (const other of [
    { nets: [] },
    { nets: [{ asn: '42', name: 'x' }], facs: [] },
    { nets: [], facs: [{ id: 1 }] },
  ]) {
    t.notOk(peeringIndexSchema.safeParse(other).success);
  }
  t.end();
});
