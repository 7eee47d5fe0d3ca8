import type { Family } from '../../net/address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import { readCsvRows, type CsvVisitor } from '../../input/rows/csv-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { WHOIS } from './layers.js';
import { NO_COUNTRY, RegistrationClaims } from './registrations.js';
import type { Reason } from '../../input/tally.js';

/** Reads whois blocks as one table: `prefix TAB country` per line, `#` for comments. The file name has the family. */
export async function readWhoisTable(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  await readCsvRows(file, bytes, { delimiter: '\t', quote: false }, new WhoisRows(file, sink));
}

/**
 * Reads the whois blocks of one country as published by ipverse/geo-ip-blocks: a prefix per line, `#` for comments, in
 * `country/<cc>/<cc>-ipv4.txt`. Throws FeedError `header` when the path has two different countries.
 */
export async function readWhoisList(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  const country = countryOfPath(file);
  await readCsvRows(file, bytes, { delimiter: '\t', quote: false }, new WhoisRows(file, sink, country));
}

/** Reads rows of prefix and country, or of a prefix only when `country` is given. */
class WhoisRows implements CsvVisitor {
  readonly #sink: ClaimSink;
  readonly #claims: RegistrationClaims;
  readonly #family: Family;
  readonly #country: string | undefined;
  readonly #prefix = new PrefixBuffer();

  constructor(file: OpenFile, sink: ClaimSink, country?: string) {
    this.#sink = sink;
    this.#claims = new RegistrationClaims(sink);
    this.#family = file.name.includes('ipv4.') ? 4 : 6;
    this.#country = country;
  }

  row(fields: string[], line: number): void {
    if (fields[0]!.startsWith('#')) return;
    const refused = this.#read(fields, line);
    if (refused !== undefined) this.#sink.reject(refused, line, fields.join('\t'));
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (!excerpt.startsWith('#')) this.#sink.reject(reason, line, excerpt);
  }

  #read(fields: readonly string[], line: number): Reason | undefined {
    if (fields.length !== (this.#country === undefined ? 2 : 1)) return 'columns';
    const prefix = this.#prefix;
    if (!prefix.parse(fields[0]!.trim())) return 'address';
    if (prefix.family !== this.#family) return 'family';
    const claimId = this.#claims.idOf(this.#country ?? fields[1]!);
    if (claimId === undefined) return 'country';
    if (claimId === NO_COUNTRY) {
      this.#sink.unknown();
      return undefined;
    }
    this.#sink.prefix(WHOIS, prefix, claimId, line);
    return undefined;
  }
}

function countryOfPath(file: OpenFile): string {
  const [, folder, name] = /([^/]+)\/([^/]+)-ipv[46]\.txt$/.exec(file.name) ?? [];
  if (folder !== undefined && folder === name) return folder;
  throw new FeedError(
    'header',
    file.id,
    'invalid path: expected country/<cc>/<cc>-ipv4.txt with the same country twice',
  );
}
