import t from 'tap';
import { KNOWN_ROUTE_SERVERS } from './route-servers.js';

/** Rows of PeeringDB's networks of 2025-05-16: asn, info_type, name. */
const PEERINGDB = `
4635,Route Server,HKIX Route Servers
6695,Route Server,DE-CIX Frankfurt Route Servers
6777,Route Server,AMS-IX Route Servers
7606,Route Server,IX Australia Route Servers
8714,Route Server,LINX Route Servers
9560,Route Server,APE Route Servers
11670,Route Server,TorIX Route Servers
13538,Route Server,NYIIX-NY Route Servers
24029,Route Server,NIXI Route Servers
24115,Route Server,Equinix Internet Exchange - MLPE Route Servers
26162,Route Server,NIC.br - IX.br (PTT.br) MLPA Route Servers
33108,Route Server,SIX Seattle Route Servers
42476,Route Server,SwissIX Route Servers
43760,Route Server,INEX Route Servers
47200,Route Server,NIX.CZ Route Servers
51706,Route Server,France-IX Paris Route Servers
52005,Route Server,Netnod Route Servers
61968,Route Server,MIX-IT Route Servers
63221,Route Server,Community IX Holdings
`;

t.test('the known route servers are networks that PeeringDB lists as route servers', (t) => {
  const asns = [...PEERINGDB.matchAll(/^(\d+),Route Server,/gm)].map(([, asn]) => Number(asn));
  t.same(KNOWN_ROUTE_SERVERS, asns);
  t.end();
});
