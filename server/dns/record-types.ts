/** Returns the number of a type in any case: `A`, `TYPE65280` (RFC 3597 §5). Absent for other text. */
export function typeNumberOf(mnemonic: string): number | undefined {
  const text = mnemonic.toUpperCase();
  const known = NUMBERS.get(text);
  if (known !== undefined) return known;
  const [, digits] = /^TYPE(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const number = Number(digits);
  return digits !== undefined && number <= 0xffff ? number : undefined;
}

/** Returns the mnemonic of a type, or `TYPE65280` if it has none. */
export function typeNameOf(number: number): string {
  return NAMES.get(number) ?? `TYPE${number}`;
}

/** Returns the name of a response code with its extended bits (RFC 6895 §2.3), or `RCODE3841` if it has none. */
export function rcodeNameOf(number: number): string {
  return RCODES.get(number) ?? `RCODE${number}`;
}

/** Types in use today (IANA "DNS Parameters"). */
// prettier-ignore
const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, HINFO: 13, MX: 15, TXT: 16, RP: 17, AFSDB: 18, AAAA: 28,
    LOC: 29, SRV: 33, NAPTR: 35, CERT: 37, DNAME: 39, OPT: 41, DS: 43, SSHFP: 44, RRSIG: 46, NSEC: 47,
    DNSKEY: 48, NSEC3: 50, NSEC3PARAM: 51, TLSA: 52, SMIMEA: 53, CDS: 59, CDNSKEY: 60,
    OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63, SVCB: 64, HTTPS: 65, SPF: 99, URI: 256, CAA: 257,
  }),
);

const NAMES: ReadonlyMap<number, string> = new Map([...NUMBERS].map(([name, number]) => [number, name]));

const RCODES: ReadonlyMap<number, string> = new Map([
  [0, 'NOERROR'],
  [1, 'FORMERR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [4, 'NOTIMP'],
  [5, 'REFUSED'],
  [6, 'YXDOMAIN'],
  [7, 'YXRRSET'],
  [8, 'NXRRSET'],
  [9, 'NOTAUTH'],
  [10, 'NOTZONE'],
  [11, 'DSOTYPENI'],
  [16, 'BADVERS'],
  [23, 'BADCOOKIE'],
]);
