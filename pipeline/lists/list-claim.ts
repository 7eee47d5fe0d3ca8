import { z } from 'zod';
import { arrayOf, map, type ScalarType } from '../mmdb/schema.js';

/**
 * What one list says about one network or autonomous system. Absent means the list says nothing: a fraud score of 0
 * is a value.
 */
export interface ListClaim {
  /** VPN, TOR, DCH, PUB, WEB, SES, RES, CPN, EPN, AIC; open-ended, upper case. */
  readonly type?: string;
  /** Whether the publisher has tested the very address (a scraped row says `scraped`); absent where all rows are alike. */
  readonly evidence?: Evidence;
  /** Brand of the service behind it (`NordVPN`), as `provider-names.ts` spells it. */
  readonly provider?: string;
  /** COM, ORG, GOV, MIL, EDU, LIB, CDN, ISP, MOB, DCH, SES, RSV or several joined with `/`, as published; open. */
  readonly usageType?: string;
  readonly isp?: string;
  readonly domain?: string;
  /** Labels such as SPAM, SCANNER, BOTNET; open. */
  readonly threats?: readonly string[];
  /** 0..99. */
  readonly fraudScore?: number;
  /** Day on which it was last seen, in days since 1970-01-01 UTC; absent where the row has no date of its own. */
  readonly lastSeen?: number;
  /** Whose cloud it is. */
  readonly cloud?: string;
  /** The cloud's own name of the service and the region. */
  readonly service?: string;
  readonly region?: string;
  /** Space of data centres, whatever the type. */
  readonly isHosting?: boolean;
  /** Edge of a content delivery network: whoever is seen there is its customer, not a proxy. */
  readonly isEdge?: boolean;
  /** Carrier by its id in the table of carriers. */
  readonly carrier?: string;
  /** What an operator allows: claims of these lists or types do not count here; `*` for all. */
  readonly allow?: readonly string[];
  /** An operator's own word, which beats every list. */
  readonly isOwn?: boolean;
}

export type Evidence = 'commercial' | 'confirmed' | 'scraped';

/** How a claim stands in a normalised table on disk: under its own names. */
export const LIST_CLAIM_SCHEMA = map({
  type: 'string',
  evidence: 'string',
  provider: 'string',
  usageType: 'string',
  isp: 'string',
  domain: 'string',
  threats: arrayOf('string'),
  fraudScore: 'uint16',
  lastSeen: 'uint16',
  cloud: 'string',
  service: 'string',
  region: 'string',
  isHosting: 'boolean',
  isEdge: 'boolean',
  carrier: 'string',
  allow: arrayOf('string'),
  isOwn: 'boolean',
} satisfies Record<keyof ListClaim, ScalarType | ReturnType<typeof arrayOf>>);

const text = z.string().exactOptional();
const texts = z.array(z.string()).exactOptional();
const flag = z.boolean().exactOptional();

/** A claim as it is read back. */
export const listClaimSchema: z.ZodType<ListClaim> = z.strictObject({
  type: text,
  evidence: z.enum(['commercial', 'confirmed', 'scraped']).exactOptional(),
  provider: text,
  usageType: text,
  isp: text,
  domain: text,
  threats: texts,
  fraudScore: z.int().exactOptional(),
  lastSeen: z.int().exactOptional(),
  cloud: text,
  service: text,
  region: text,
  isHosting: flag,
  isEdge: flag,
  carrier: text,
  allow: texts,
  isOwn: flag,
});

/** Fields in the order in which they stand in a record. */
export const LIST_CLAIM_FIELDS = Object.keys(LIST_CLAIM_SCHEMA.fields) as readonly (keyof ListClaim)[];

/** Claims by id: equal claims get the same id, ids count from 0 in the order of first sight. */
export class ListClaimTable {
  readonly #ids = new Map<string, number>();
  readonly claims: ListClaim[] = [];

  intern(claim: ListClaim): number {
    const key = keyOf(claim);
    const held = this.#ids.get(key);
    if (held !== undefined) return held;
    const id = this.claims.push(claim) - 1;
    this.#ids.set(key, id);
    return id;
  }
}

/** Fields that are there, each by its place and the length of its text, so that no text can pass for another. */
function keyOf(claim: ListClaim): string {
  let key = '';
  for (let place = 0; place < LIST_CLAIM_FIELDS.length; place++) {
    const value = claim[LIST_CLAIM_FIELDS[place]!];
    if (value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    key += `${place}:${text.length}:${text}`;
  }
  return key;
}
