import { claimPlace } from './chinese-place.js';
import type { Claim } from './claim.js';
import { countryNamed, namesManyCountries } from './country-names.js';
import type { ClaimSink } from './feed.js';
import { COUNTRY, type Ip2regionLayout } from './ip2region-layout.js';
import { namesNoCountry, parseCountry } from './iso3166.js';

/** The id of a row's claim, absent when the row says nothing, or the reason why it is refused. */
export type Ip2regionVerdict = number | undefined | 'country';

/** Verdicts by the texts that make them: rows of one place and ISP are many, and often follow each other. */
export class Ip2regionVerdicts {
  readonly #layout: Ip2regionLayout;
  readonly #sink: Pick<ClaimSink, 'intern'>;
  readonly #verdicts = new Map<string, { readonly verdict: Ip2regionVerdict }>();
  #last: Ip2regionVerdict;
  #lastFields: readonly string[] = [];

  constructor(layout: Ip2regionLayout, sink: Pick<ClaimSink, 'intern'>) {
    this.#layout = layout;
    this.#sink = sink;
  }

  /** The verdict on a row that fits the layout; the fields may be kept until the next one. */
  of(fields: readonly string[]): Ip2regionVerdict {
    if (this.#saysTheSame(fields)) return this.#last;
    const key = fields.slice(COUNTRY).join('|');
    let held = this.#verdicts.get(key);
    if (held === undefined) {
      held = { verdict: this.#decide(fields) };
      this.#verdicts.set(key, held);
    }
    this.#lastFields = fields;
    this.#last = held.verdict;
    return held.verdict;
  }

  #saysTheSame(fields: readonly string[]): boolean {
    const last = this.#lastFields;
    if (last.length !== fields.length) return false;
    for (let i = COUNTRY; i < fields.length; i++) if (fields[i] !== last[i]) return false;
    return true;
  }

  #decide(fields: readonly string[]): Ip2regionVerdict {
    const claim = claimFields(fields, this.#layout);
    if (claim === 'country') return claim;
    return Object.keys(claim).length === 0 ? undefined : this.#sink.intern(claim);
  }
}

/** A region or city without a country is no place; the ISP stays. */
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
 * The code, where the layout has one, is the publisher's own word for the country; but Hong Kong, Macao and Taiwan may
 * be filed under China in the text or in the code.
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
