import t from 'tap';
import { UNKNOWN_BGP } from '../../lookup/bgp-part.js';
import type { BgpPart } from '../../lookup/ip-record-schema.js';
import type { RoutedRecord } from '../../release/records.js';
import { routeSection } from './route-section.js';

const networkOf = (asn: number) => ({ asn, in_use: true, name: asn === 3356 ? 'LEVEL3' : `AS${asn}` });

function sectionOf(bgp: Partial<BgpPart>, route: RoutedRecord = {}): string {
  const snapshot = { networkOf, routes: { get: () => route } };
  return routeSection({ ip: '192.0.2.1', bgp: { ...UNKNOWN_BGP, ...bgp } }, snapshot, 'en').text;
}

t.test('an AS that no collector sees names its publisher, beside the note that there is no route', (t) => {
  const text = sectionOf({ as: 174, as_name: 'COGENT-174', as_source: 'geolite2' });
  t.match(text, /COGENT-174 \(according to geolite2\)/);
  t.match(text, 'No route collector sees this address.');
  t.notMatch(sectionOf({ as: 174, prefix: '192.0.2.0/24' }), /No route collector|according to/);
  t.end();
});

t.test('long lists say how many are left out', (t) => {
  const peers = Array.from({ length: 15 }, (_, i) => ({ asn: 65000 + i, name: `NET-${i}` }));
  const ix = peers.map(({ name }, id) => ({ id, name: `IX ${name}`, city: '', country: '' }));
  const text = sectionOf({ peers, ix });
  t.equal(text.match(/and 3 more/g)?.length, 2);
  t.match(text, 'NET-11');
  t.notMatch(text, 'NET-12');
  t.notMatch(sectionOf({ peers: peers.slice(0, 12) }), 'more');
  t.end();
});

t.test('upstreams have their names and paths; a name that is the number is left out', (t) => {
  const upstreams = [
    { asn: 3356, count: 7 },
    { asn: 6453, count: 1 },
  ];
  const text = sectionOf({}, { upstreams });
  t.match(text, />AS3356<\/a> LEVEL3 \(7 paths\)/);
  t.match(text, />AS6453<\/a> \(1 path\)/);
  t.end();
});
