/** The names of an AS and of its holder. Absent ones are unknown. */
export interface NetworkNames {
  readonly name?: string | undefined;
  readonly organisation?: string | undefined;
  readonly domain?: string | undefined;
}

/** The usage types that names tell. */
export type NamedUse = 'ISP' | 'MOB' | 'EDU';

/**
 * Words of carriers, in the languages of their names. Of the ASes with one of them, PeeringDB types more than 90 % as
 * access networks or carriers; each word was measured alone.
 */
const CARRIER_WORDS = [
  String.raw`tele[ck]om|tele(?:ph|f)on|\btelnet\b|\btel\b|\ba?dsl\b|wireless|wi-?fi\b|\bwisp\b`,
  String.raw`broad-?band|banda (?:larga|ancha)|breitband|breedband|cable|kabel|\btv\b|satel+it|\bsat\b|\bvsat\b`,
  String.raw`fib(?:er|re|ra)|\bftt[hx]\b|glasfaser|provedor|multim[ií]dia|comunica(?:coes|cao|ciones|cion|zioni)`,
  String.raw`\bacesso|\bakses\b|\bcon+ect\b|\bconecta\b`,
];

/** Words of carriers that small companies use too, so they count in large networks only: `Polkomtel`. */
const CARRIER_WORDS_OF_LARGE = [String.raw`\bcommunications?\b|\b[a-z]{3,}tel\b`];

/** Number of IPv4 addresses from which a network is large. */
const LARGE_ADDRESSES = 2 ** 14;

/** Words of mobile carriers; without PeeringDB's type they count in large networks only. */
const MOBILE_WORDS = [
  String.raw`\bmobil[aei]?\b|\bmobilais\b|mobile\b|\bmobility\b|cellular|\bcelular|\bselular|\bgsm\b|\bgprs\b`,
  String.raw`\bm[oó]vil(?:es)?\b|\bmovel\b`,
];

const SCHOOL_WORDS = [
  String.raw`universi(?!al|e\b)|\buniv[-_ .]|univerz|uniwersytet|yliopisto|egyetem|\bcollege\b|\bschools?\b`,
  String.raw`\bpolytechnic|politecnic|politeknik|\bhochschule|hogeschool`,
];

/** Domains that registries give to schools and universities only. */
const SCHOOL_DOMAIN = /\.(?:edu|edu\.[a-z]{2}|ac\.[a-z]{2})$/i;

/** Words of companies that rent servers or connect networks in data centres. */
const HOSTING_WORDS = [
  String.raw`(?<!g)host(?:ing|s|er|ers|ed)?\b|\bv(?:ps|dc)\b|\bservers?\b|\bdedicated\b|cloud|\bcdn\b`,
  String.raw`data[- ]?cent|\bidc\b|\bcolo(?:cation|s)?\b|exchange|\bixp?\b|route server`,
];

const CARRIER = anyOf(CARRIER_WORDS);
const LARGE_CARRIER = anyOf(CARRIER_WORDS_OF_LARGE);
const MOBILE = anyOf(MOBILE_WORDS);
const SCHOOL = anyOf(SCHOOL_WORDS);
const HOSTING = anyOf(HOSTING_WORDS);

/**
 * Returns what a network is used for by its names; undefined when they say nothing, contradict each other, or are those
 * of a hosting company. `addresses` is the number of IPv4 addresses that the AS announces.
 */
export function useByNames(names: NetworkNames, addresses: number): NamedUse | undefined {
  const text = textOf(names);
  if (HOSTING.test(text)) return undefined;
  const isLarge = addresses >= LARGE_ADDRESSES;
  const isMobile = isLarge && MOBILE.test(text);
  const isCarrier = CARRIER.test(text) || (isLarge && LARGE_CARRIER.test(text));
  const isSchool = SCHOOL.test(text) || SCHOOL_DOMAIN.test(names.domain ?? '');
  if (isSchool) return isMobile || isCarrier ? undefined : 'EDU';
  if (isMobile) return 'MOB';
  return isCarrier ? 'ISP' : undefined;
}

/** Returns whether the names of a network are those of a mobile carrier. */
export function isMobileByNames(names: NetworkNames): boolean {
  return MOBILE.test(textOf(names));
}

/** Returns whether the names of a network are those of a hosting company or an exchange. */
export function isHostingByNames(names: NetworkNames): boolean {
  return HOSTING.test(textOf(names));
}

function textOf({ name, organisation }: NetworkNames): string {
  return name === organisation ? (name ?? '') : `${name ?? ''} | ${organisation ?? ''}`;
}

function anyOf(alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'i');
}
