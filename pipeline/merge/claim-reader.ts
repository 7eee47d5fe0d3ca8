import type {
  ClaimCompleter,
  ClaimWeight,
  Position,
  ResolvedClaim,
  WritableClaim,
} from './resolved-claim.js';
import { CLAIM_WIDTH, type ClaimColumns } from './resolved-claim-table.js';
import { TupleReader } from './tuple-reader.js';

/** Reads resolved claims from their columns by their ids. */
export class ClaimReader {
  readonly #weights: readonly ClaimWeight[];
  readonly #completer: ClaimCompleter;
  readonly #reader: TupleReader;
  /** The claim that every view overwrites, and its id. A part of the merge reads millions of claims. */
  readonly #slot = new ClaimSlot();
  #viewed = -1;

  constructor({ tuples, texts, weights }: ClaimColumns, completer: ClaimCompleter) {
    this.#weights = weights;
    this.#completer = completer;
    this.#reader = new TupleReader(tuples, { width: CLAIM_WIDTH, texts });
  }

  /** Returns a claim in an object of its own. */
  at(id: number): ResolvedClaim {
    const slot = new ClaimSlot();
    this.#read(id, slot);
    return slot.claim!;
  }

  /** Returns a claim in an object that is valid until the next view. */
  view(id: number): ResolvedClaim {
    if (id !== this.#viewed) this.#read(id, this.#slot);
    this.#viewed = id;
    return this.#slot.claim!;
  }

  #read(id: number, slot: ClaimSlot): void {
    const reader = this.#reader;
    reader.start(id);
    const weight = this.#weights[reader.integer()!]!;
    const claim = (slot.claim ??= blankClaim(weight));
    claim.weight = weight;
    claim.country = reader.text();
    claim.region = reader.text();
    claim.regionText = reader.text();
    claim.cityId = reader.unsigned();
    claim.cityText = reader.text();
    claim.position = positionIn(slot, reader);
    claim.timeZone = reader.text();
    claim.registeredCountry = reader.text();
    claim.anycast = reader.text() as ResolvedClaim['anycast'];
    claim.lastLevel = reader.text() as ResolvedClaim['lastLevel'];
    claim.isUnplaced = reader.integer() === 1;
    this.#completer.fill(claim);
  }
}

/** The objects of one claim; undefined until the first claim. */
class ClaimSlot {
  claim: WritableClaim | undefined;
  position: { -readonly [Name in keyof Position]: Position[Name] } | undefined;
}

function positionIn(slot: ClaimSlot, reader: TupleReader): Position | undefined {
  const latitude = reader.double();
  const longitude = reader.double();
  const radiusKm = reader.integer();
  if (latitude === undefined) return undefined;
  const position = (slot.position ??= { latitude, longitude: longitude!, radiusKm });
  position.latitude = latitude;
  position.longitude = longitude!;
  position.radiusKm = radiusKm;
  return position;
}

function blankClaim(weight: ClaimWeight): WritableClaim {
  return {
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
    areas: { country: undefined, region: undefined },
    registeredCountry: undefined,
    anycast: undefined,
    lastLevel: undefined,
    isUnplaced: false,
  };
}
