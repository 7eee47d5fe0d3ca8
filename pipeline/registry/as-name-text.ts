import { isHandle } from '../input/names/organisation-name.js';
import { isLegalForm } from '../input/names/postal-address.js';
import type { AsName } from './registries.js';

/**
 * Splits the text into the handle (first word) and the holder (the rest). If the text has no handle, all of it is the
 * name: `3215 France Telecom - Orange, FR`. Returns undefined without a name.
 */
export function parseAsName(
  text: string,
  { asn, country }: { readonly asn: number; readonly country: string | undefined },
): AsName | undefined {
  if (NO_NAME.has(text)) return undefined;
  const ofCountry = country === undefined ? {} : { country };
  const [name = '', ...words] = text.split(' ');
  // Some lines are `NAME - Holder`.
  const hasDash = words[0] === '-';
  const entity = words
    .join(' ')
    .trim()
    .replace(/^-(?:\s+|$)/, '')
    .replace(RENAMED, '');
  const isWhole =
    !isHandle(name) ||
    isLegalForm(entity) ||
    (!hasDash && isOfLacnic(asn, country)) ||
    (isOfArin(asn, country) && isHandleOfArin(text));
  if (isWhole) return { name: text, ...ofCountry };
  return { name, ...(entity !== '' && { entity }), ...ofCountry };
}

/** Placeholders for a missing name. */
const NO_NAME: ReadonlySet<string> = new Set(['', '-Reserved AS-', '-Private Use AS-', 'AS-']);

/** A remark that APNIC wrote before the holder when it changed the syntax of handles. */
const RENAMED = /^# \S+ CONVERTED TO \S+ FOR RPSL COMPLIANCE\s*/;

/**
 * ARIN publishes handles only, and some of them have spaces (`26944 MUNICH RE AMERICA SERVICES, US`). A holder of another
 * registry has lower case, or follows a handle that repeats its first word (`47787 EDGOO EDGOO NETWORKS, US`).
 */
function isHandleOfArin(text: string): boolean {
  return !/\p{Ll}|^\S*[-_]|^(\S+)\S* \1(?: |$)/u.test(text);
}

/**
 * LACNIC has no handles: there the whole text is the holder (`7303 Telecom Argentina S.A., AR`), unless a dash follows
 * the first word. Registries have 32-bit numbers in blocks (https://www.iana.org/assignments/as-numbers/); 16-bit ones
 * are mixed.
 */
function isOfLacnic(asn: number, country: string | undefined): boolean {
  const isInBlock = asn < 65_536 || (asn >= 262_144 && asn < 327_680);
  return isInBlock && country !== undefined && LACNIC_COUNTRIES.has(country);
}

function isOfArin(asn: number, country: string | undefined): boolean {
  const isInBlock = asn < 65_536 || (asn >= 393_216 && asn < 458_752);
  return isInBlock && (country === 'US' || country === 'CA');
}

/** The countries LACNIC serves (https://www.lacnic.net/1040/1/lacnic/lacnic-coverage-area). */
// prettier-ignore
const LACNIC_COUNTRIES: ReadonlySet<string> = new Set([
  'AR', 'AW', 'BO', 'BQ', 'BR', 'BZ', 'CL', 'CO', 'CR', 'CU', 'CW', 'DO', 'EC', 'FK', 'GF', 'GT',
  'GY', 'HN', 'HT', 'MX', 'NI', 'PA', 'PE', 'PY', 'SR', 'SV', 'SX', 'TT', 'UY', 'VE',
]);
