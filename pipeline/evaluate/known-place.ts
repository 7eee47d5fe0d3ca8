import type { Point } from './point.js';

/** A place against which answers are judged. Levels that are unknown are not compared. */
export interface KnownPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2, first level. */
  readonly region: string | undefined;
  /** GeoNames id. */
  readonly cityId: number | undefined;
  /** The city's name as its source spells it, folded (see `foldName`). */
  readonly cityName: string | undefined;
  /** The coordinates that the source gives, else those of the city in the gazetteer. */
  readonly point: Point | undefined;
}
