import { claimPlace } from '../../input/names/chinese-place.js';
import type { Claim } from '../../input/claims/claim.js';
import { countryNamed, namesManyCountries } from '../../input/names/country-names.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { COUNTRY, type Ip2regionLayout } from './layout.js';
import { namesNoCountry, parseCountry } from '../../input/names/iso3166.js';

/** The claim id of a row, undefined for an empty claim, or the reason why the row is rejected. */
export type Ip2regionClaim = number | undefined | 'country';

/** Reads the claims of rows once per distinct combination of texts. Many rows, often consecutive, share one. */
export class Ip2regionClaims {
  readonly #layout: Ip2regionLayout;
  readonly #sink: Pick<ClaimSink, 'intern'>;
  readonly #rowClaims = new Map<string, { readonly rowClaim: Ip2regionClaim }>();
  #last: Ip2regionClaim;
  #lastFields: readonly string[] = [];

  constructor(layout: Ip2regionLayout, sink: Pick<ClaimSink, 'intern'>) {
    this.#layout = layout;
    this.#sink = sink;
  }

  /** Returns the result for a row that fits the layout. Keeps `fields` until the next call. */
  of(fields: readonly string[]): Ip2regionClaim {
    if (this.#repeats(fields)) return this.#last;
    const key = fields.slice(COUNTRY).join('|');
    let held = this.#rowClaims.get(key);
    if (held === undefined) {
      held = { rowClaim: this.#decide(fields) };
      this.#rowClaims.set(key, held);
    }
    this.#lastFields = fields;
    this.#last = held.rowClaim;
    return held.rowClaim;
  }

  #repeats(fields: readonly string[]): boolean {
    const last = this.#lastFields;
    if (last.length !== fields.length) return false;
    for (let i = COUNTRY; i < fields.length; i++) if (fields[i] !== last[i]) return false;
    return true;
  }

  #decide(fields: readonly string[]): Ip2regionClaim {
    const claim = claimFields(fields, this.#layout);
    if (claim === 'country') return claim;
    return Object.keys(claim).length === 0 ? undefined : this.#sink.intern(claim);
  }
}

/** Reads the claim of a row. Region and city are dropped without a country; the ISP is kept. */
function claimFields(fields: readonly string[], layout: Ip2regionLayout): Claim | 'country' {
  const country = countryOf(
    textOf(fields[COUNTRY]!),
    layout.code === undefined ? undefined : textOf(fields[layout.code]!),
  );
  if (country === 'refused') return 'country';
  const region = textOf(fields[layout.region]!);
  const city = textOf(fields[layout.city]!);
  const isp = textOf(fields[layout.isp]!);
  return {
    ...(country !== 'none' && claimPlace(country, { region, city })),
    ...(isp !== undefined && { isp }),
  };
}

/**
 * Returns the country of a row: its code, where the layout has one, else the country of its name. Hong Kong, Macao and
 * Taiwan may be listed under China in either of them; the other one then decides.
 */
function countryOf(text: string | undefined, code: string | undefined): string {
  const named = text === undefined ? undefined : countryNamed(text);
  const coded = code === undefined || namesNoCountry(code) ? undefined : (parseCountry(code) ?? 'refused');
  if (coded !== undefined && !(coded === 'CN' && named !== undefined)) return coded;
  if (named !== undefined) return named;
  return text === undefined || namesManyCountries(text) ? (coded ?? 'none') : (coded ?? 'refused');
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(['', '0', '-', '内网IP', 'Reserved']);

function textOf(field: string): string | undefined {
  const text = field.trim();
  return PLACEHOLDERS.has(text) ? undefined : text;
}
