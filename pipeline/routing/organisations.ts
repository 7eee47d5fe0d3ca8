import { bestOrganisation, isHandle } from '../input/names/organisation-name.js';
import type { AsName, PeeringDb } from '../registry/registries.js';

/** The handle and the organisation of an AS. */
export interface NetworkNames {
  /** The handle (`COMCAST-7922`); the organisation when no handle is known. */
  readonly name?: string;
  /** The organisation. Absent when no source has another text than the handle, a postal address or a remark. */
  readonly entity?: string;
}

/** Chooses the names of ASes from all sources of names. */
export class Organisations {
  readonly #inPeeringDb = new Map<number, string>();

  constructor({ peeringDb }: { readonly peeringDb: PeeringDb | undefined }) {
    for (const { asn, name } of peeringDb?.networks ?? []) {
      const text = withoutAsn(name, asn);
      if (text !== undefined) this.#inPeeringDb.set(asn, text);
    }
  }

  /**
   * Returns the names of an AS. The organisation is the holder in the AS names; if they have a handle, a postal address
   * or a remark instead, it is the name of the network in PeeringDB.
   */
  namesOf(asn: number, line: Pick<AsName, 'name' | 'entity'> | undefined): NetworkNames {
    const holder = line?.entity ?? line?.name;
    const registered = bestOrganisation([holder]);
    const isName = registered !== undefined && !isHandle(registered);
    const entity = isName ? registered : (this.#inPeeringDb.get(asn) ?? otherThan(line?.name, registered));
    const name = line && bestOrganisation([line.name]) === undefined ? entity : (line?.name ?? entity);
    return { ...(name !== undefined && { name }), ...(entity !== undefined && { entity }) };
  }
}

function otherThan(handle: string | undefined, text: string | undefined): string | undefined {
  return text === handle ? undefined : text;
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
