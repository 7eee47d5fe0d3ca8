/** Names of a place; a language in which it has none is absent. */
export interface PlaceNames {
  readonly en?: string | undefined;
  readonly 'zh-CN'?: string | undefined;
}

/** A continent of GeoNames. */
export interface ContinentNames {
  /** Two letters, e.g. `AS`. */
  readonly code: string;
  readonly names: PlaceNames;
}

/** A place with a GeoNames id. */
export interface Place {
  readonly id: number;
  readonly kind: 'country' | 'region' | 'city';
  readonly continent: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2 of the first-level subdivision; absent for countries, and for cities outside of any. */
  readonly region?: string | undefined;
  readonly names: PlaceNames;
  /** Other names, for matching only; folded (see `foldName`). */
  readonly alternates?: readonly string[] | undefined;
  /** Degrees, -90..90; present together with the longitude. */
  readonly latitude?: number | undefined;
  /** Degrees, -180..180. */
  readonly longitude?: number | undefined;
  /** IANA name; absent for countries, which may have several. */
  readonly timeZone?: string | undefined;
  /** Inhabitants; absent where no source says. */
  readonly population?: number | undefined;
  /** A section of a larger place (GeoNames PPLX): of namesakes it comes last. */
  readonly isSection?: true | undefined;
}

/** A first-level subdivision. Not every one has a GeoNames id here: many are known from their cities alone. */
export interface Region {
  /** ISO 3166-2. */
  readonly code: string;
  readonly country: string;
  readonly id?: number | undefined;
  readonly names: PlaceNames;
  /** Other names, for matching only; folded (see `foldName`). */
  readonly alternates?: readonly string[] | undefined;
}

/** Everything a gazetteer is made of. */
export interface GazetteerContent {
  readonly continents: readonly ContinentNames[];
  readonly regions: readonly Region[];
  readonly places: readonly Place[];
}
