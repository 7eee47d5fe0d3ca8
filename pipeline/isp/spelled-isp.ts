import { cutLeadingIsp } from '../input/names/isp-names.js';
import { isPostalAddress } from '../input/names/postal-address.js';
import { CARRIERS, type Carrier } from './carriers.js';
import { CLOUD_COMPANIES } from './cloud-companies.js';

/** The company named in an ISP field: a known carrier or cloud company, or another ISP in one of two scripts. */
export type SpelledIsp =
  | { readonly kind: 'carrier'; readonly carrier: Carrier }
  | { readonly kind: 'chinese'; readonly text: string }
  | { readonly kind: 'latin'; readonly text: string };

/** Parses the name of an ISP; undefined for placeholders, host names and postal addresses. */
export function parseIspName(text: string): SpelledIsp | undefined {
  const name = text.trim();
  if (NO_NAME.test(name) || isPostalAddress(name)) return undefined;
  return HAN.test(name) ? parseChinese(name) : parseLatin(name);
}

/** Returns the carrier with this id in lists of prefixes. */
export function carrierById(id: string): Carrier | undefined {
  return BY_ID.get(id);
}

/** Returns the carrier or cloud company that runs an AS as its own network. */
export function carrierOfAs(asn: number): Carrier | undefined {
  return BY_ASN.get(asn);
}

/** Returns the carrier or cloud company that a complete Chinese text means. 亚太电信 is not 电信. */
export function carrierSpelled(text: string): Carrier | undefined {
  return BY_SPELLING.get(text);
}

/** Returns the carrier or cloud company that one of a network's names in Latin letters belongs to. */
export function carrierCalled(...names: readonly string[]): Carrier | undefined {
  return ALL.find((carrier) => names.some((name) => carrier.names.test(name)));
}

/** Returns whether a company runs a cloud. */
export function runsCloud({ id }: Carrier): boolean {
  return CLOUD_IDS.has(id);
}

const ALL = [...CARRIERS, ...CLOUD_COMPANIES];
const CLOUD_IDS: ReadonlySet<string> = new Set(CLOUD_COMPANIES.map(({ id }) => id));
const BY_ID = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
const BY_ASN = new Map(ALL.flatMap((carrier) => carrier.asns.map((asn) => [asn, carrier] as const)));
const BY_SPELLING = new Map(
  ALL.flatMap((carrier) =>
    [carrier.zh, carrier.short, ...carrier.spellings].map((text) => [text, carrier] as const),
  ),
);

const HAN = /\p{Script=Han}/u;

/** Placeholders, special-purpose space, the publisher's own name, and host names. */
const NO_NAME =
  /^(?:[\s\d.,/-]*|n\/?a|null|none|unknown|reserved|private|内网IP|局域网.*|保留地址.*|本机地址.*|本地链路.*|共享地址.*|IANA.*|未知.*|不详|纯真网络.*|.*CZ88\.NET.*|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|cn|io|top|xyz))$/i;

function parseChinese(name: string): SpelledIsp {
  const leading = cutLeadingIsp(name)?.isp ?? name;
  const carrier = carrierSpelled(name) ?? carrierSpelled(leading);
  return carrier ? { kind: 'carrier', carrier } : { kind: 'chinese', text: leading };
}

function parseLatin(name: string): SpelledIsp {
  const carrier = carrierCalled(name);
  return carrier ? { kind: 'carrier', carrier } : { kind: 'latin', text: name };
}
