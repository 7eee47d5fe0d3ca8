/** The names of a place. Languages without a name are absent. */
export interface PlaceNames {
  readonly en?: string | undefined;
  readonly 'zh-CN'?: string | undefined;
}

/** A continent with its names. */
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
  /** ISO 3166-2 of the first-level subdivision; absent for countries, and for cities outside any region. */
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
  /** Number of inhabitants; absent if unknown. */
  readonly population?: number | undefined;
  /** A section of a larger place (GeoNames PPLX). It ranks last among namesakes. */
  readonly isSection?: true | undefined;
}

/** A first-level subdivision. Many have no GeoNames id here, because they are known only from their cities. */
export interface Region {
  /** ISO 3166-2. */
  readonly code: string;
  readonly country: string;
  readonly id?: number | undefined;
  readonly names: PlaceNames;
  /** Other names, for matching only; folded (see `foldName`). */
  readonly alternates?: readonly string[] | undefined;
}

/** Where the inhabitants of a country or region live, and its time zone. At least one of both is known. */
export interface Area {
  /** ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a region. */
  readonly code: string;
  /** A city in the middle of the inhabitants, in degrees; present together with longitude and radius. */
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  /** Whole kilometres within which two thirds of the inhabitants live. */
  readonly radiusKm?: number | undefined;
  /** IANA name; absent if the area has several, and for regions of countries that have one. */
  readonly timeZone?: string | undefined;
}

/** The whole content of a gazetteer. */
export interface GazetteerContent {
  readonly continents: readonly ContinentNames[];
  readonly regions: readonly Region[];
  readonly places: readonly Place[];
  readonly areas?: readonly Area[] | undefined;
}
