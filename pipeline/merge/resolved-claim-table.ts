import { TupleMemo } from '../table/tuple-memo.js';
import type { ClaimWeight, ResolvedClaim } from './resolved-claim.js';
import { TupleKey } from './tuple-key.js';

/** The fields of distinct resolved claims in columns; the remaining fields follow from these. */
export interface ClaimColumns {
  /** CLAIM_WIDTH integers for each claim. */
  readonly tuples: Int32Array;
  /** A field with a text has the position of its text plus 1, or 0. */
  readonly texts: readonly string[];
  /** The first field is the position of the weight. */
  readonly weights: readonly ClaimWeight[];
}

/** Distinct resolved claims by id. Equal ones get the same id; ids count from 0. */
export class ResolvedClaimTable {
  readonly claims: ResolvedClaim[] = [];
  readonly #key = new TupleKey(CLAIM_WIDTH);
  readonly #weights = new Map<ClaimWeight, number>();
  readonly #memo = new TupleMemo(CLAIM_WIDTH);
  #candidate: ResolvedClaim | undefined;

  intern(claim: ResolvedClaim): number {
    const { position } = claim;
    this.#key
      .start()
      .addInteger(this.#weightNumber(claim.weight))
      .add(claim.country)
      .add(claim.region)
      .add(claim.regionText)
      .addInteger(claim.cityId)
      .add(claim.cityText)
      .addDouble(position?.latitude)
      .addDouble(position?.longitude)
      .addInteger(position?.radiusKm)
      .add(claim.timeZone)
      .add(claim.registeredCountry)
      .add(claim.anycast)
      .add(claim.lastLevel)
      .addInteger(claim.isUnplaced ? 1 : 0);
    this.#candidate = claim;
    return this.#memo.resolve(this.#key.integers, this.#add);
  }

  /** Returns the claims in columns; the views are valid until the next addition. */
  columns(): ClaimColumns {
    const { tuples } = this.#memo;
    return { tuples, texts: this.#key.values as string[], weights: [...this.#weights.keys()] };
  }

  #weightNumber(weight: ClaimWeight): number {
    let number = this.#weights.get(weight);
    if (number === undefined) this.#weights.set(weight, (number = this.#weights.size));
    return number;
  }

  readonly #add = (): number => this.claims.push(this.#candidate!) - 1;
}

/** Fourteen fields; the two coordinates take two integers each. */
export const CLAIM_WIDTH = 16;
