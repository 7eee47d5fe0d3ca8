/** The number of a type (IANA "DNS Parameters"): `A`, `TYPE65280` (RFC 3597 §5), any case; absent for other text. */
export function typeNumberOf(mnemonic: string): number | undefined {
  const text = mnemonic.toUpperCase();
  const known = NUMBERS.get(text);
  if (known !== undefined) return known;
  const [, digits] = /^TYPE(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const number = Number(digits);
  return digits !== undefined && number <= 0xffff ? number : undefined;
}

/** The mnemonic of a type, `TYPE65280` where there is none. */
export function typeNameOf(number: number): string {
  return NAMES.get(number) ?? `TYPE${number}`;
}

/** The name of a response code with its extended bits (RFC 6895 §2.3), `RCODE3841` where it has none. */
export function rcodeNameOf(number: number): string {
  return RCODES.get(number) ?? `RCODE${number}`;
}

/** Types that somebody may meet today. */
const NAMES: ReadonlyMap<number, string> = new Map([
  ...([
    [1, 'A'],
    [2, 'NS'],
    [5, 'CNAME'],
    [6, 'SOA'],
    [12, 'PTR'],
    [13, 'HINFO'],
    [15, 'MX'],
  ] as const),
  ...([
    [16, 'TXT'],
    [17, 'RP'],
    [18, 'AFSDB'],
    [28, 'AAAA'],
    [29, 'LOC'],
    [33, 'SRV'],
  ] as const),
  ...([
    [35, 'NAPTR'],
    [37, 'CERT'],
    [39, 'DNAME'],
    [41, 'OPT'],
    [43, 'DS'],
    [44, 'SSHFP'],
  ] as const),
  ...([
    [46, 'RRSIG'],
    [47, 'NSEC'],
    [48, 'DNSKEY'],
    [50, 'NSEC3'],
    [51, 'NSEC3PARAM'],
  ] as const),
  ...([
    [52, 'TLSA'],
    [53, 'SMIMEA'],
    [59, 'CDS'],
    [60, 'CDNSKEY'],
    [61, 'OPENPGPKEY'],
  ] as const),
  ...([
    [62, 'CSYNC'],
    [63, 'ZONEMD'],
    [64, 'SVCB'],
    [65, 'HTTPS'],
    [99, 'SPF'],
    [256, 'URI'],
  ] as const),
  ...([[257, 'CAA']] as const),
]);

const NUMBERS: ReadonlyMap<string, number> = new Map([...NAMES].map(([number, name]) => [name, number]));

const RCODES: ReadonlyMap<number, string> = new Map(
  [
    ...['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'YXDOMAIN', 'YXRRSET'],
    ...['NXRRSET', 'NOTAUTH', 'NOTZONE', 'DSOTYPENI'],
  ]
    .map((name, number): [number, string] => [number, name])
    .concat([
      [16, 'BADVERS'],
      [23, 'BADCOOKIE'],
    ]),
);
