import type { CityColumns, Writable } from './city-columns.js';
import type { SpherePoint } from './distance.js';
import type { Coordinates, Places } from './places.js';
import {
  claimedPointOf,
  knownAreasOf,
  NO_AREAS,
  type ClaimWeight,
  type KnownAreas,
  type Position,
  type ResolvedClaim,
} from './resolved-claim.js';
import { CLAIM_WIDTH, type ClaimColumns } from './resolved-claim-table.js';
import { TupleReader } from './tuple-reader.js';

/** The facts about places that complete the claims of a file. */
export interface ClaimFacts {
  readonly cities: CityColumns;
  readonly areaOf: Places['areaOf'];
}

/** Reads resolved claims from their columns by their ids. */
export class ClaimReader {
  readonly #weights: readonly ClaimWeight[];
  readonly #facts: ClaimFacts;
  readonly #reader: TupleReader;
  /** By the number of the region's code, else of the country's. */
  readonly #areas: (KnownAreas | undefined)[];
  /** The claim that every view overwrites, and its id. A part of the merge reads millions of claims. */
  readonly #slot: ClaimSlot;
  #viewed = -1;

  constructor({ tuples, texts, weights }: ClaimColumns, facts: ClaimFacts) {
    this.#weights = weights;
    this.#facts = facts;
    this.#reader = new TupleReader(tuples, { width: CLAIM_WIDTH, texts });
    this.#slot = new ClaimSlot(weights[0]!);
    this.#areas = Array.from({ length: texts.length + 1 }, () => undefined);
  }

  /** Returns a claim in an object of its own. */
  at(id: number): ResolvedClaim {
    return this.#read(id, new ClaimSlot(this.#weights[0]!));
  }

  /** Returns a claim in an object that is valid until the next view. */
  view(id: number): ResolvedClaim {
    if (id === this.#viewed) return this.#slot.claim;
    this.#viewed = id;
    return this.#read(id, this.#slot);
  }

  #read(id: number, slot: ClaimSlot): ResolvedClaim {
    const reader = this.#reader;
    const { claim } = slot;
    reader.start(id);
    claim.weight = this.#weights[reader.number()]!;
    const country = reader.number();
    const region = reader.number();
    claim.country = reader.textOf(country);
    claim.region = reader.textOf(region);
    claim.regionText = reader.text();
    claim.cityId = reader.unsigned();
    claim.cityText = reader.text();
    claim.position = positionIn(reader, slot.position);
    claim.timeZone = reader.text();
    claim.registeredCountry = reader.text();
    claim.anycast = reader.text() as ResolvedClaim['anycast'];
    claim.lastLevel = reader.text() as ResolvedClaim['lastLevel'];
    claim.isUnplaced = reader.number() === 1;
    claim.areas = this.#areasOf(country, region);
    this.#locate(slot);
    return claim;
  }

  #areasOf(country: number, region: number): KnownAreas {
    if (country === 0) return NO_AREAS;
    const code = region === 0 ? country : region;
    return (this.#areas[code] ??= knownAreasOf(
      this.#facts,
      this.#reader.textOf(country)!,
      this.#reader.textOf(region),
    ));
  }

  #locate({ claim, point, cityPosition }: ClaimSlot): void {
    const { cities } = this.#facts;
    const city = claim.cityId === undefined ? undefined : cities.numberOf(claim.cityId);
    claim.point = city === undefined ? claimedPointOf(claim) : cities.readPoint(city, point);
    claim.cityPosition = city === undefined ? undefined : cities.readPosition(city, cityPosition);
  }
}

/** The objects of one claim. */
class ClaimSlot {
  readonly claim: Writable<ResolvedClaim>;
  readonly position: Writable<Position> = { latitude: 0.5, longitude: 0.5, radiusKm: undefined };
  readonly cityPosition: Writable<Coordinates> = { latitude: 0.5, longitude: 0.5 };
  readonly point: Writable<SpherePoint> = { x: 0.5, y: 0.5, z: 0.5 };

  constructor(weight: ClaimWeight) {
    this.claim = {
      weight,
      country: undefined,
      region: undefined,
      regionText: undefined,
      cityId: undefined,
      cityText: undefined,
      point: undefined,
      position: undefined,
      cityPosition: undefined,
      timeZone: undefined,
      areas: NO_AREAS,
      registeredCountry: undefined,
      anycast: undefined,
      lastLevel: undefined,
      isUnplaced: false,
    };
  }
}

function positionIn(reader: TupleReader, into: Writable<Position>): Position | undefined {
  const latitude = reader.double();
  const longitude = reader.double();
  into.radiusKm = reader.integer();
  if (latitude === undefined) return undefined;
  into.latitude = latitude;
  into.longitude = longitude!;
  return into;
}
