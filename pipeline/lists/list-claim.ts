import { ClaimFormat } from '../input/claims/claim-format.js';
import { ClaimTable } from '../input/claims/claim-table.js';

/** The claim of one list about one network or autonomous system. Unknown fields are absent. */
export interface ListClaim {
  /** VPN, TOR, DCH, PUB, WEB, SES, RES, CPN, EPN, AIC or another type, in upper case. */
  readonly type?: string;
  /** How the publisher knows the proxy; absent for lists where all rows are known in the same way. */
  readonly evidence?: Evidence;
  /** The brand of the provider (`NordVPN`), in the spelling of `provider-names.ts`. */
  readonly provider?: string;
  /**
   * COM, ORG, GOV, MIL, EDU, LIB, CDN, ISP, MOB, DCH, SES, RSV or another, or several joined with `/`, as
   * published.
   */
  readonly usageType?: string;
  readonly isp?: string;
  readonly domain?: string;
  /** Labels such as SPAM, SCANNER, BOTNET. */
  readonly threats?: readonly string[];
  /** 0..99. */
  readonly fraudScore?: number;
  /** The day of the last sighting, in days since 1970-01-01 UTC; absent when the row has no date. */
  readonly lastSeen?: number;
  /** The provider of the cloud. */
  readonly cloud?: string;
  /** The cloud's names for its service and its region, which is not an ISO 3166-2 region. */
  readonly service?: string;
  readonly region?: string;
  /** Whether the network is in data centres, for any type. */
  readonly isHosting?: boolean;
  /** Whether the network is the edge of a content delivery network: its clients are customers, not proxy users. */
  readonly isEdge?: boolean;
  /** The id of the carrier in the table of carriers. */
  readonly carrier?: string;
  /** The lists and types whose claims the operator disables here; `*` for all. */
  readonly allow?: readonly string[];
  /** Whether the claim is the operator's, which wins over every list. */
  readonly isOwn?: boolean;
}

/**
 * How a proxy is known: `commercial` from a commercial database, `confirmed` by a test of the address, `scraped` from a
 * web page.
 */
export type Evidence = (typeof EVIDENCE)[number];
const EVIDENCE = ['commercial', 'confirmed', 'scraped'] as const;

/** The fields of a list claim as they are compared and written, in writing order. */
export const LIST_CLAIM_FORMAT = new ClaimFormat<ListClaim>(
  { kind: 'list', databaseType: 'ipatlas-List' },
  {
    type: 'string',
    evidence: EVIDENCE,
    provider: 'string',
    usageType: 'string',
    isp: 'string',
    domain: 'string',
    threats: 'strings',
    fraudScore: 'uint16',
    lastSeen: 'uint16',
    cloud: 'string',
    service: 'string',
    region: 'string',
    isHosting: 'boolean',
    isEdge: 'boolean',
    carrier: 'string',
    allow: 'strings',
    isOwn: 'boolean',
  },
);

/** List claims by id. */
export class ListClaimTable extends ClaimTable<ListClaim> {
  constructor() {
    super(LIST_CLAIM_FORMAT);
  }
}
