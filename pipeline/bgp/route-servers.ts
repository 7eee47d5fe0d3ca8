/**
 * AS numbers of the route servers of large exchanges. Some insert their AS number into paths, against RFC 7947
 * §2.2.2.1. Source: the networks of https://www.peeringdb.com/api/net with `info_type` Route Server on 2025-05-16, a
 * selection; ASes of the exchanges' operators are excluded.
 */
export const KNOWN_ROUTE_SERVERS: readonly number[] = [
  4635, // HKIX
  6695, // DE-CIX Frankfurt
  6777, // AMS-IX
  7606, // IX Australia
  8714, // LINX
  9560, // APE
  11670, // TorIX
  13538, // NYIIX
  24029, // NIXI
  24115, // Equinix
  26162, // IX.br
  33108, // SIX Seattle
  42476, // SwissIX
  43760, // INEX
  47200, // NIX.CZ
  51706, // France-IX Paris
  52005, // Netnod
  61968, // MIX-IT
  63221, // FL-IX
];
