import type { OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { ListClaim } from '../list-claim.js';
import { onlyLayer, type List, type ListContext, type ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import type { Prefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import { allowScopeOf, EVERY_LIST } from './allow-scopes.js';
import { AllowedPrefixes, type AllowedPrefix, type CoveringScope } from './allowed-prefixes.js';
import { readOperatorRows, type OperatorFile, type OperatorRow } from './operator-rows.js';
import { PROXY_TYPES } from './proxy-types.js';

const ALLOW_LIST = 'allow-list.csv';
const DENY_LIST = 'deny-list.csv';

/**
 * The lists of the operator of this service, which win over all other lists. `allow-list.csv`
 * (`prefix,scope,reason,added`) disables claims for a prefix and everything inside: of all lists (`*`), one list, or
 * one type. `deny-list.csv` (`prefix,type,provider,reason,added`) declares proxies; inside a denied prefix only the
 * most specific row counts. Where both apply (scope `*` or the same type), the more specific prefix wins; between equal
 * prefixes the allow list wins.
 */
export const OPERATOR_LISTS: List = {
  id: 'operator-lists',
  publisher: 'the operator of this service',
  licence: {
    name: 'private',
    url: 'https://choosealicense.com/no-permission/',
    // Also for allowed rows: an operator's customers and reasons are not published by default.
    terms: 'closed',
  },
  files: [ALLOW_LIST, DENY_LIST].map((name) => ({ ...plainFile('own', name), handWritten: true })),
  cadence: 'by hand',
  version: 2,
  tolerance: 1,
  maxAgeDays: 36_500,
  layers: ['rows'],
  combine: onlyLayer,
  read: readOperatorLists,
};

type AllowRow = OperatorRow & AllowedPrefix;
type DenyRow = OperatorRow & { readonly type: string; readonly provider?: string };

async function readOperatorLists(
  files: readonly OpenFile[],
  sinkFor: (file: OpenFile) => ListSink,
  { log }: ListContext,
): Promise<void> {
  const allowed: Sunk<AllowRow>[] = [];
  const denied: Sunk<DenyRow>[] = [];
  await readEach('operator-lists', files, async (file) => {
    const sink = sinkFor(file);
    const sunk = <Row>(row: Row) => ({ row, sink });
    if (file.name === ALLOW_LIST) allowed.push(...(await readAllowList({ file, sink, log })).map(sunk));
    else denied.push(...(await readDenyList({ file, sink, log })).map(sunk));
  });
  const combined = new OperatorClaims(
    allowed.map(({ row }) => row),
    denied.map(({ row }) => row),
  );
  for (const { row, sink } of [...allowed, ...denied]) {
    sink.prefix(0, row.prefix, sink.intern(combined.claimOf(row)), row.line);
  }
}

/** A file with its sink and log. */
type Source = Pick<OperatorFile<never, object>, 'file' | 'sink' | 'log'>;

/** A row with the sink of its file. */
interface Sunk<Row> {
  readonly row: Row;
  readonly sink: ListSink;
}

function readAllowList(source: Source): Promise<AllowRow[]> {
  return readOperatorRows<'scope', { readonly scope: string }>({
    ...source,
    required: ['scope'],
    read: (field) => {
      const scope = allowScopeOf(field('scope') ?? '');
      return scope !== undefined ? { scope } : 'reference';
    },
  });
}

function readDenyList(source: Source): Promise<DenyRow[]> {
  return readOperatorRows<'type' | 'provider', { readonly type: string; readonly provider?: string }>({
    ...source,
    required: ['type'],
    optional: ['provider'],
    read: (field) => {
      const type = field('type')?.toUpperCase();
      const provider = field('provider');
      if (type === undefined || !PROXY_TYPES.has(type)) return 'reference';
      return { type, ...(provider !== undefined && { provider }) };
    },
  });
}

/**
 * Combines all rows: the claim of a prefix includes covering rows, because the table keeps only the most specific
 * one.
 */
class OperatorClaims {
  readonly #allowed: AllowedPrefixes;
  readonly #denied = new PrefixTable();
  readonly #denyRows: readonly DenyRow[];

  constructor(allowed: readonly AllowRow[], denied: readonly DenyRow[]) {
    this.#allowed = new AllowedPrefixes(allowed);
    this.#denyRows = denied;
    // The first of two rows for one prefix is kept.
    denied.forEach(({ prefix }, i) => this.#denied.insert(prefix.address, prefix.length, i));
  }

  claimOf({ prefix }: OperatorRow): ListClaim {
    const scopes = this.#allowed.covering(prefix);
    return {
      ...(scopes.length > 0 && { allow: scopes.map(({ scope }) => scope) }),
      ...this.#denialOf(prefix, scopes),
    };
  }

  #denialOf({ address, length }: Prefix, scopes: readonly CoveringScope[]): ListClaim | undefined {
    const narrowest = this.#denied.covering(address, length).at(-1);
    if (narrowest === undefined) return undefined;
    const { type, provider, added } = this.#denyRows[narrowest.recordId]!;
    const isOverruled = scopes.some(
      ({ scope, length }) => (scope === EVERY_LIST || scope === type) && length >= narrowest.length,
    );
    if (isOverruled) return undefined;
    return {
      type,
      isOwn: true,
      ...(provider !== undefined && { provider }),
      ...(added !== undefined && { lastSeen: added }),
    };
  }
}
