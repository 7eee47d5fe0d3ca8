import { bestOrganisation, isHandle } from '../input/names/organisation-name.js';
import { organisationsByAsn } from '../registry/observed-ases.js';
import type { AsName } from '../registry/registries.js';
import type { RoutingParts } from './parts.js';

/** The handle and the organisation of an AS. */
export interface NetworkNames {
  /** The handle (`COMCAST-7922`); the organisation when no handle is known. */
  readonly name?: string;
  /** The organisation. Absent when no source has another text than the handle, a postal address or a remark. */
  readonly entity?: string;
}

/** Chooses the names of ASes from all sources of names. */
export class Organisations {
  readonly #observed: readonly ReadonlyMap<number, string>[];
  readonly #inPeeringDb = new Map<number, string>();

  constructor({ observed, peeringDb }: Pick<RoutingParts, 'observed' | 'peeringDb'>) {
    this.#observed = observed.map((one) => organisationsByAsn([one]));
    for (const { asn, name } of peeringDb?.networks ?? []) {
      const text = withoutAsn(name, asn);
      if (text !== undefined) this.#inPeeringDb.set(asn, text);
    }
  }

  /**
   * Returns the names of an AS. The organisation is the one that a publisher of observed ASes names, because the holder in
   * the AS names is often a description of the network; else that holder; else the name of the network in PeeringDB.
   * Handles, postal addresses and remarks are passed over.
   */
  namesOf(asn: number, line: AsLine | undefined): NetworkNames {
    const observed = this.#observedNames(asn, line);
    const full = observed.filter((text) => !isHandle(text));
    const registered = bestOrganisation([...full, line?.entity ?? line?.name]);
    const isName = registered !== undefined && !isHandle(registered);
    const entity = isName ? registered : (this.#inPeeringDb.get(asn) ?? otherThan(line?.name, registered));
    const name = bestOrganisation([line?.name]) ?? entity ?? bestOrganisation(observed);
    return { ...(name !== undefined && { name }), ...(entity !== undefined && { entity }) };
  }

  /** Returns the organisations of observed ASes. Some are the whole line of the AS names, with the handle. */
  #observedNames(asn: number, line: AsLine | undefined): string[] {
    const wholeLine = line?.entity === undefined ? undefined : `${line.name} ${line.entity}`;
    const names = this.#observed.map((organisations) => otherThan(wholeLine, organisations.get(asn)));
    return names.filter((text) => text !== undefined);
  }
}

/** The name and the entity of an AS in the AS names. */
type AsLine = Pick<AsName, 'name' | 'entity'>;

function otherThan(known: string | undefined, text: string | undefined): string | undefined {
  return text === known ? undefined : text;
}

/**
 * Returns the name of a network without its AS number: `GTT Communications (AS4436)`, `AT&T US - 7018`. Returns undefined
 * when nothing else is left.
 */
function withoutAsn(name: string, asn: number): string | undefined {
  const [, cut = name, number] = NUMBERED.exec(name) ?? [];
  const rest = Number(number) === asn ? cut : name;
  return /\p{L}/u.test(rest) ? rest : undefined;
}

const NUMBERED = /^(.*?)[\s([,:|/-]*(?<![\p{L}\d])(?:asn?[ -]?)?(\d{1,10})[\s)\]]*$/iu;
