import t from 'tap';
import { IndexedPeering } from '../release/peering.js';
import { peeringHitsSchema, searchPeering } from './peering-hits.js';

t.test('decision 38: unknown fields of a network or facility are empty', async (t) => {
  const peering = await IndexedPeering.of({
    nets: [{ asn: 64500, name: 'Example' }],
    facs: [{ id: 1, name: 'Example House' }],
  });
  const hits = searchPeering(peering, 'example');
  t.strictSame(hits, {
    nets: [{ asn: 64500, name: 'Example', aka: '', info_type: '' }],
    facs: [{ id: 1, name: 'Example House', city: '', country: '' }],
  });
  t.ok(peeringHitsSchema.safeParse(hits).success);
});
