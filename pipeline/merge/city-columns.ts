import { TupleMemo } from '../table/tuple-memo.js';
import { spherePointOf, type SpherePoint } from './distance.js';
import type { Coordinates } from './places.js';

/** A type with fields that may be written. */
export type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** The coordinates of cities and their points, in columns that fit in a processor's cache. */
export class CityColumns {
  readonly #numbers: TupleMemo;
  /** The city that is looked up. */
  readonly #key = new Int32Array(1);
  readonly #coordinates: Float64Array;
  /** Three doubles for each city, NaN until they are read for the first time. */
  readonly #points: Float64Array;

  /** `coordinates` has the latitude and longitude of each city, NaN for unknown ones. */
  constructor(cities: Uint32Array, coordinates: Float64Array) {
    this.#numbers = new TupleMemo(1);
    this.#coordinates = coordinates;
    this.#points = new Float64Array(3 * cities.length).fill(Number.NaN);
    for (const cityId of cities) {
      this.#key[0] = cityId;
      this.#numbers.number(this.#key);
    }
  }

  /** Returns the number of one of the cities; undefined if its coordinates are unknown. */
  numberOf(cityId: number): number | undefined {
    this.#key[0] = cityId;
    const number = this.#numbers.number(this.#key);
    return Number.isNaN(this.#coordinates[2 * number]!) ? undefined : number;
  }

  /** Writes the coordinates of a city. Returns `into`. */
  readPosition(number: number, into: Writable<Coordinates>): Coordinates {
    into.latitude = this.#coordinates[2 * number]!;
    into.longitude = this.#coordinates[2 * number + 1]!;
    return into;
  }

  /** Writes the point of a city. Returns `into`. */
  readPoint(number: number, into: Writable<SpherePoint>): SpherePoint {
    if (Number.isNaN(this.#points[3 * number]!)) this.#computePoint(number);
    into.x = this.#points[3 * number]!;
    into.y = this.#points[3 * number + 1]!;
    into.z = this.#points[3 * number + 2]!;
    return into;
  }
  #computePoint(number: number): void {
    const latitude = this.#coordinates[2 * number]!;
    const longitude = this.#coordinates[2 * number + 1]!;
    const { x, y, z } = spherePointOf({ latitude, longitude });
    this.#points.set([x, y, z], 3 * number);
  }
}
