import { cutLeadingIsp } from '../feeds/isp-names.js';
import { carrierCalled, carrierSpelled, type Carrier } from './carriers.js';

/** What a text in an ISP field names: a carrier, or an ISP in one of the two scripts. */
export type SpelledIsp =
  | { readonly kind: 'carrier'; readonly carrier: Carrier }
  | { readonly kind: 'chinese'; readonly text: string }
  | { readonly kind: 'latin'; readonly text: string };

/** Reads an ISP's name; absent where the text names nobody. */
export function readIspName(text: string): SpelledIsp | undefined {
  const name = text.trim();
  if (NOBODY.test(name) || isStreet(name)) return undefined;
  return HAN.test(name) ? readChinese(name) : readLatin(name);
}

/**
 * Whether a text is where somebody is rather than who it is: registrations of AS numbers in China often begin with the
 * address (`No.31,Jin-rong Street`, `Jinan,250000`, `NINGBO, ZHEJIANG Province, P.R.China.`).
 */
export function isStreet(text: string): boolean {
  return STREET.test(text);
}

const HAN = /\p{Script=Han}/u;

/** Placeholders, special-purpose space, the publisher's own name, and host names. */
const NOBODY =
  /^(?:[\s\d.,/-]*|n\/?a|null|none|unknown|reserved|private|内网IP|局域网.*|保留地址.*|本机地址.*|本地链路.*|共享地址.*|IANA.*|未知.*|不详|纯真网络.*|.*CZ88\.NET.*|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|cn|io|top|xyz))$/i;

const STREET =
  /^(?:no\.? ?\d|level \d+,|room \d|rm\.? ?\d|floor \d|\d+\/f\b|\d+f\b|p\.? ?o\.? ?box)|^[a-z ]+, ?\d{5,6}$|\bp\. ?r\. ?china\.?$|^[a-z]+ building\b|, [a-z]+, china$|^[^,]*\d.* (?:street|road|avenue|blvd\.)$/i;

function readChinese(name: string): SpelledIsp {
  const leading = cutLeadingIsp(name)?.isp ?? name;
  const carrier = carrierSpelled(name) ?? carrierSpelled(leading);
  return carrier ? { kind: 'carrier', carrier } : { kind: 'chinese', text: leading };
}

function readLatin(name: string): SpelledIsp {
  const carrier = carrierCalled(name);
  return carrier ? { kind: 'carrier', carrier } : { kind: 'latin', text: name };
}
