/** An AS whose routes are a carrier line. */
export interface CarrierNetwork {
  readonly asn: number;
  readonly line: string;
  /** Whose it is. */
  readonly operator: string;
  /** Prefixes that it originated in December 2025, as measured in public tables. */
  readonly prefixes?: number;
}

/** Space that is a carrier line whoever announces it. */
export interface CarrierOverlay {
  readonly prefix: string;
  readonly line: string;
}

/** Which AS numbers and which space make a carrier line. */
export interface CarrierTable {
  readonly networks: readonly CarrierNetwork[];
  readonly overlay: readonly CarrierOverlay[];
}

/**
 * Lines of the carriers of mainland China. AS numbers and names as they stand in `asn.txt` of the RIPE NCC and in
 * PeeringDB; counts of prefixes out of public routing tables.
 *
 * CN2 is one line here. Its two grades, GIA and GT, are sold over the same AS and differ in whether a path has hops in
 * 59.43.0.0/16 without any in 202.97.0.0/16: a traceroute shows that, a prefix does not, so neither is ever claimed.
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
    // Backbone of CN2: hardly in the global table, but in every traceroute through it.
    { prefix: '59.43.0.0/16', line: 'CN2' },
  ],
};
