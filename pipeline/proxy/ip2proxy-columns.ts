import type { ColumnsRead } from '../feeds/claim-memo.js';
import type { ListClaim } from '../lists/list-claim.js';

/** PX1 to PX12: each has the columns of the one before it and mostly some more. */
export type Product = (typeof PRODUCTS)[number];
export const PRODUCTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** Columns behind the addresses, in their order, and the product that brought each; PX10 brought only rows. */
const COLUMNS = [
  ['proxy_type', 2],
  ['country_code', 1],
  ['country_name', 1],
  ['region_name', 3],
  ['city_name', 3],
  ['isp', 4],
  ['domain', 5],
  ['usage_type', 6],
  ['asn', 7],
  ['as', 7],
  ['last_seen', 8],
  ['threat', 9],
  ['provider', 11],
  ['fraud_score', 12],
] as const;
type Column = (typeof COLUMNS)[number][0];

/** Columns that a claim is made of. */
const TOLD = [
  'proxy_type',
  'isp',
  'domain',
  'usage_type',
  'last_seen',
  'threat',
  'provider',
  'fraud_score',
] as const satisfies readonly Column[];

/** What the rows of one file have in common. */
export interface Snapshot {
  readonly product: Product;
  readonly isCommercial: boolean;
  /** Day that `last_seen` is counted back from, in days since 1970; absent when nothing tells it. */
  readonly day: number | undefined;
}

/** Number of a product's columns behind the addresses. */
export function columnCount(product: Product): number {
  return columnsOf(product).length;
}

/** Reads what rows say of their networks, the columns behind the addresses beginning at index `from`. */
export class RowClaims {
  /** Indexes of the columns that are looked at. */
  readonly columns: readonly number[];
  readonly #at: Readonly<Partial<Record<Column, number>>>;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, from: number) {
    this.#snapshot = snapshot;
    const at = Object.fromEntries(columnsOf(snapshot.product).map((column, i) => [column, from + i]));
    this.#at = at;
    this.columns = TOLD.flatMap((column) => at[column] ?? []);
  }

  /**
   * A row without a type gets the note `unknown`: one of PX1 names a proxy of some kind, one of another product an
   * address that is none. A score outside 0..99 is refused as `columns`, a number of days that is none as `date`.
   */
  read(fields: readonly string[]): ColumnsRead<ListClaim> {
    const score = this.#text(fields, 'fraud_score');
    if (score !== undefined && !/^\d\d?$/.test(score)) return { refused: 'columns' };
    const daysAgo = this.#text(fields, 'last_seen');
    if (daysAgo !== undefined && !/^\d{1,3}$/.test(daysAgo)) return { refused: 'date' };
    const claim = this.#say(fields);
    if (score !== undefined) claim.fraudScore = Number(score);
    if (Object.keys(claim).length === 0) return { claim };
    this.#stamp(claim, daysAgo);
    return claim.type === undefined ? { claim, notes: ['unknown'] } : { claim };
  }

  #say(fields: readonly string[]): ClaimDraft {
    const claim: ClaimDraft = {};
    const type = this.#text(fields, 'proxy_type');
    if (type !== undefined) claim.type = type.toUpperCase();
    const provider = this.#text(fields, 'provider');
    if (provider !== undefined) claim.provider = provider;
    const usageType = this.#text(fields, 'usage_type');
    if (usageType !== undefined) claim.usageType = usageType;
    const isp = this.#text(fields, 'isp');
    if (isp !== undefined) claim.isp = isp;
    const domain = this.#text(fields, 'domain');
    if (domain !== undefined) claim.domain = domain;
    const threat = this.#text(fields, 'threat');
    const threats = threat === undefined ? [] : labelsIn(threat);
    if (threats.length > 0) claim.threats = threats;
    return claim;
  }

  /** 30 days stand for 30 and more: the last day on which it can have been seen is taken. */
  #stamp(claim: ClaimDraft, daysAgo: string | undefined): void {
    const { isCommercial, day } = this.#snapshot;
    if (isCommercial) claim.evidence = 'commercial';
    if (daysAgo !== undefined && day !== undefined) claim.lastSeen = day - Number(daysAgo);
  }

  /** The text of a column; absent for `-` and in a product without the column. */
  #text(fields: readonly string[], column: Column): string | undefined {
    const at = this.#at[column];
    const text = at === undefined ? undefined : fields[at]?.trim();
    return text === '' || text === '-' ? undefined : text;
  }
}

type ClaimDraft = { -readonly [Field in keyof ListClaim]: ListClaim[Field] };

function columnsOf(product: Product): Column[] {
  return COLUMNS.filter(([, since]) => since <= product).map(([column]) => column);
}

/** `SPAM/SCANNER` is two labels. */
function labelsIn(text: string): string[] {
  const labels = text.split('/').map((label) => label.trim().toUpperCase());
  return [...new Set(labels)].filter((label) => label !== '' && label !== '-');
}
