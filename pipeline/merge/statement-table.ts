import { TupleMemo } from '../table/tuple-memo.js';
import type { Statement } from './statement.js';
import { TupleKey } from './tuple-key.js';

/** Statements by id: equal ones get the same id, ids count from 0. */
export class StatementTable {
  readonly statements: Statement[] = [];
  readonly #key = new TupleKey(WIDTH);
  readonly #memo = new TupleMemo(WIDTH);
  #candidate: Statement | undefined;

  intern(statement: Statement): number {
    const { spot } = statement;
    this.#key
      .start()
      .add(statement.voice)
      .add(statement.country)
      .add(statement.region)
      .add(statement.regionText)
      .addInteger(statement.cityId)
      .add(statement.cityText)
      .addDouble(spot?.latitude)
      .addDouble(spot?.longitude)
      .addInteger(spot?.radiusKm)
      .add(statement.timeZone)
      .add(statement.registeredCountry);
    this.#candidate = statement;
    return this.#memo.resolve(this.#key.integers, this.#add);
  }

  readonly #add = (): number => this.statements.push(this.#candidate!) - 1;
}

/** Eleven fields, of which the coordinates take two integers each. The other ones follow from these. */
const WIDTH = 13;
