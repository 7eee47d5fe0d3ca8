import type { ColumnsRead } from '../../input/claims/columns-read.js';
import type { ListClaim } from '../list-claim.js';

/** The products PX1 to PX12. Each has the columns of the previous one, and usually more. */
export type Product = (typeof PRODUCTS)[number];
export const PRODUCTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** The columns after the addresses in file order, with the first product that has them. PX10 added only rows. */
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

/** The columns that are read. */
const READ_COLUMNS = [
  'proxy_type',
  'isp',
  'domain',
  'usage_type',
  'last_seen',
  'threat',
  'provider',
  'fraud_score',
] as const satisfies readonly Column[];

/** The properties that all rows of one file share. */
export interface Snapshot {
  readonly product: Product;
  readonly isCommercial: boolean;
  /** The day from which `last_seen` counts back, in days since 1970; undefined when unknown. */
  readonly day: number | undefined;
}

/** Returns the number of columns of a product after the addresses. */
export function columnCount(product: Product): number {
  return columnsOf(product).length;
}

/** Reads the claims of rows. The columns after the addresses begin at index `from`. */
export class RowClaims {
  /** The indexes of the columns that are read. */
  readonly columns: readonly number[];
  readonly #at: Readonly<Partial<Record<Column, number>>>;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, from: number) {
    this.#snapshot = snapshot;
    const at = Object.fromEntries(columnsOf(snapshot.product).map((column, i) => [column, from + i]));
    this.#at = at;
    this.columns = READ_COLUMNS.flatMap((column) => at[column] ?? []);
  }

  /**
   * Reads the claim of a row. A row without a type gets the note `unknown`: in PX1 it is a proxy of unknown type, in
   * other products not a proxy. A score outside 0..99 is rejected as `columns`, an invalid number of days as `date`.
   */
  read(fields: readonly string[]): ColumnsRead<ListClaim> {
    const score = this.#text(fields, 'fraud_score');
    if (score !== undefined && !/^\d\d?$/.test(score)) return { refused: 'columns' };
    const daysAgo = this.#text(fields, 'last_seen');
    if (daysAgo !== undefined && !/^\d{1,3}$/.test(daysAgo)) return { refused: 'date' };
    const claim = this.#draftOf(fields);
    if (score !== undefined) claim.fraudScore = Number(score);
    if (Object.keys(claim).length === 0) return { claim };
    this.#stamp(claim, daysAgo);
    return claim.type === undefined ? { claim, notes: ['unknown'] } : { claim };
  }

  #draftOf(fields: readonly string[]): ClaimDraft {
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

  /** Adds evidence and day. 30 days means 30 or more; the latest possible day is used. */
  #stamp(claim: ClaimDraft, daysAgo: string | undefined): void {
    const { isCommercial, day } = this.#snapshot;
    if (isCommercial) claim.evidence = 'commercial';
    if (daysAgo !== undefined && day !== undefined) claim.lastSeen = day - Number(daysAgo);
  }

  /** Returns the text of a column. Returns undefined for `-`, and for a product without the column. */
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

/** Splits `SPAM/SCANNER` into labels. */
function labelsIn(text: string): string[] {
  const labels = text.split('/').map((label) => label.trim().toUpperCase());
  return [...new Set(labels)].filter((label) => label !== '' && label !== '-');
}
