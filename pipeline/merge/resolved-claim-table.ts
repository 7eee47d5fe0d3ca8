import { TupleMemo } from '../table/tuple-memo.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { TupleKey } from './tuple-key.js';

/** Distinct resolved claims by id. Equal ones get the same id; ids count from 0. */
export class ResolvedClaimTable {
  readonly claims: ResolvedClaim[] = [];
  readonly #key = new TupleKey(WIDTH);
  readonly #memo = new TupleMemo(WIDTH);
  #candidate: ResolvedClaim | undefined;

  intern(claim: ResolvedClaim): number {
    const { position } = claim;
    this.#key
      .start()
      .add(claim.weight)
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

  readonly #add = (): number => this.claims.push(this.#candidate!) - 1;
}

/** Fourteen fields; the two coordinates take two integers each. The remaining fields follow from these. */
const WIDTH = 16;
