/** The region of a row: an ISO 3166-2 code in the country of the row, a text, or neither. */
export interface StatedRegion {
  readonly region?: string;
  readonly regionName?: string;
  /** Whether the row names a region of another country. The region is then dropped (note `region-country`). */
  readonly foreign: boolean;
}

/** Returns the trimmed text of a field. Returns undefined when it is empty or a dash. */
export function presentText(field: string | undefined): string | undefined {
  const text = field?.trim().normalize('NFC');
  return text === undefined || text === '' || text === '-' ? undefined : text;
}

/**
 * Reads a region field (RFC 8805 §2.1.1.3: ISO 3166-2, in any case). Operators also write names (`São Paulo`) and codes
 * without the country (`CA`). Both are kept as text, for the gazetteer.
 */
export function readRegion(field: string | undefined, country: string): StatedRegion {
  const text = presentText(field);
  if (text === undefined) return { foreign: false };
  if (!ISO_REGION.test(text)) return { regionName: text, foreign: false };
  const region = text.toUpperCase();
  return region.startsWith(`${country}-`) ? { region, foreign: false } : { foreign: true };
}

const ISO_REGION = /^[a-z]{2}-[a-z0-9]{1,3}$/i;
