/** A region as a row states it: an ISO 3166-2 code of the row's country, or text. Both absent: no region. */
export interface StatedRegion {
  readonly region?: string;
  readonly regionName?: string;
  /** The row names a region of another country, which is dropped (note `region-country`). */
  readonly foreign: boolean;
}

/** Trimmed text; absent for an empty field or a dash. */
export function presentText(field: string | undefined): string | undefined {
  const text = field?.trim().normalize('NFC');
  return text === undefined || text === '' || text === '-' ? undefined : text;
}

/**
 * Reads a region field (RFC 8805 §2.1.1.3: ISO 3166-2, in any case). Operators also write names (`São Paulo`) and
 * codes without the country (`CA`): both stay text for the gazetteer.
 */
export function readRegion(field: string | undefined, country: string): StatedRegion {
  const text = presentText(field);
  if (text === undefined) return { foreign: false };
  if (!ISO_REGION.test(text)) return { regionName: text, foreign: false };
  const region = text.toUpperCase();
  return region.startsWith(`${country}-`) ? { region, foreign: false } : { foreign: true };
}

const ISO_REGION = /^[a-z]{2}-[a-z0-9]{1,3}$/i;
