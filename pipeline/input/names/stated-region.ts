import { currentRegionCode } from './iso3166-2.js';

/** The region of a row: an ISO 3166-2 code in the country of the row, a text, or neither. */
export interface StatedRegion {
  readonly region?: string;
  readonly regionName?: string;
  /** Whether the row names a region of another country. The region is then dropped (note `region-country`). */
  readonly foreign: boolean;
  /** Whether ISO 3166-2 does not list the code. The region is then dropped (note `region-code`). */
  readonly unlisted: boolean;
}

/** Returns the trimmed text of a field. Returns undefined when it is empty or a dash. */
export function presentText(field: string | undefined): string | undefined {
  const text = field?.trim().normalize('NFC');
  return text === undefined || text === '' || text === '-' ? undefined : text;
}

/**
 * Reads a region field (RFC 8805 §2.1.1.3: ISO 3166-2, in any case). Operators also write names (`São Paulo`) and codes
 * without the country (`CA`). Both are kept as text, for the gazetteer. A withdrawn code becomes its successor.
 */
export function readRegion(field: string | undefined, country: string): StatedRegion {
  const text = presentText(field);
  if (text === undefined) return LISTED;
  if (!ISO_REGION.test(text)) return { regionName: text, ...LISTED };
  const code = text.toUpperCase();
  if (!code.startsWith(`${country}-`)) return { ...LISTED, foreign: true };
  const region = currentRegionCode(code);
  return region === undefined ? { ...LISTED, unlisted: true } : { region, ...LISTED };
}

const LISTED = { foreign: false, unlisted: false };
const ISO_REGION = /^[a-z]{2}-[a-z0-9]{1,3}$/i;
