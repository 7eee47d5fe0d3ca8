/** An AS with the carrier line of its routes. */
export interface CarrierNetwork {
  readonly asn: number;
  readonly line: string;
  readonly operator: string;
  /** The number of prefixes it originated in public routing tables of December 2025. */
  readonly prefixes?: number;
}

/** A prefix with the carrier line of its addresses, whatever AS announces it. */
export interface CarrierOverlay {
  readonly prefix: string;
  readonly line: string;
}

/** The AS numbers and prefixes of carrier lines. */
export interface CarrierTable {
  readonly networks: readonly CarrierNetwork[];
  readonly overlay: readonly CarrierOverlay[];
}

/**
 * The lines of the carriers of mainland China. AS numbers and names are from `asn.txt` of the RIPE NCC and from
 * PeeringDB; prefix counts are from public routing tables.
 *
 * CN2 is one line here. Its two grades, GIA and GT, share an AS. They differ only in the hops of a path (GIA has hops in
 * 59.43.0.0/16 and none in 202.97.0.0/16), which a traceroute shows but a prefix does not.
 */
export const CARRIER_TABLE: CarrierTable = {
  networks: [
    { asn: 4809, line: 'CN2', operator: 'China Telecom', prefixes: 375 },
    { asn: 4134, line: '163', operator: 'China Telecom', prefixes: 9_453 },
    { asn: 23764, line: 'CTGNet', operator: 'China Telecom Global', prefixes: 150 },
    { asn: 4837, line: '169', operator: 'China Unicom', prefixes: 2_738 },
    { asn: 9929, line: 'CUII', operator: 'China Unicom', prefixes: 178 },
    { asn: 10099, line: 'CUG', operator: 'China Unicom Global' },
    { asn: 58807, line: 'CMIN2', operator: 'China Mobile International', prefixes: 14 },
    { asn: 58453, line: 'CMI', operator: 'China Mobile International', prefixes: 59 },
    { asn: 9808, line: 'CMNET', operator: 'China Mobile', prefixes: 2_251 },
    { asn: 4538, line: 'CERNET', operator: 'China Education and Research Network', prefixes: 544 },
    { asn: 7497, line: 'CSTNET', operator: 'China Science and Technology Network' },
  ],
  overlay: [
    // The backbone of CN2: mostly not announced, but in every traceroute through it.
    { prefix: '59.43.0.0/16', line: 'CN2' },
  ],
};
