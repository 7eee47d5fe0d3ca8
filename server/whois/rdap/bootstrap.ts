import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRdapBootstrap, type RdapService } from '../../../pipeline/net/rdap-bootstrap.js';
import type { WhoisTarget } from '../whois-record.js';
import {
  indexAsns,
  indexDomains,
  indexPrefixes,
  type QueriedPrefix,
  type FindServers,
} from './service-index.js';

/** Where the bootstrap files are and how to read them. */
export interface BootstrapOptions {
  /** Folders in order of preference. Each file is taken from the first folder with a valid copy. */
  readonly dirs: readonly string[];
  /** Allows URLs with a port. For tests. */
  readonly allowPorts: boolean;
  /** Milliseconds between checks for changed files; default one minute. */
  readonly lookEveryMs?: number;
  /** Receives a line for each invalid file, once. */
  readonly log?: (line: string) => void;
}

/**
 * Knows the RDAP servers for domains, addresses and AS numbers (RFC 9224). Rereads changed files in the background. If
 * a file becomes invalid or disappears, keeps the copy it has read before.
 */
export class RdapBootstrap {
  readonly #files: readonly WatchedFile[];
  readonly #dns: IndexFile<string>;
  readonly #ipv4: IndexFile<QueriedPrefix>;
  readonly #ipv6: IndexFile<QueriedPrefix>;
  readonly #asn: IndexFile<number>;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void>;

  constructor(private readonly options: BootstrapOptions) {
    const { allowPorts, lookEveryMs = 60_000 } = options;
    this.#dns = new IndexFile('dns.json', (services) => indexDomains(services, allowPorts));
    this.#ipv4 = new IndexFile('ipv4.json', (services) => indexPrefixes(services, allowPorts));
    this.#ipv6 = new IndexFile('ipv6.json', (services) => indexPrefixes(services, allowPorts));
    this.#asn = new IndexFile('asn.json', (services) => indexAsns(services, allowPorts));
    this.#files = [this.#dns, this.#ipv4, this.#ipv6, this.#asn];
    this.#looking = this.#lookAll();
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  /** Returns base URLs to try in turn. Absent if no server is listed. */
  async serversOf(target: WhoisTarget): Promise<readonly URL[] | undefined> {
    // Only the first query waits. Later rereads run in the background.
    if (this.#files.every(({ isRead }) => !isRead)) await this.#looking;
    switch (target.kind) {
      case 'domain':
        return this.#dns.find?.(target.name);
      case 'asn':
        return this.#asn.find?.(target.asn);
      case 'ip': {
        const { ip, version, length = version === 4 ? 32 : 128 } = target;
        return (version === 4 ? this.#ipv4 : this.#ipv6).find?.({ ip, version, length });
      }
    }
  }

  /** Rereads files that changed since the last check. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookAll());
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #lookAll(): Promise<void> {
    const { dirs, log = () => undefined } = this.options;
    await Promise.all(this.#files.map((file) => file.look(dirs, log)));
  }
}

type WatchedFile = Pick<IndexFile<never>, 'isRead' | 'look'>;

/** One bootstrap file, as of its last valid version. */
class IndexFile<Query> {
  find: FindServers<Query> | undefined;
  isRead = false;
  #path: string | undefined;
  /** Last seen version of each path. A seen version is not read again. */
  readonly #seen = new Map<string, string>();

  constructor(
    private readonly name: string,
    private readonly index: (services: readonly RdapService[]) => FindServers<Query>,
  ) {}

  async look(dirs: readonly string[], log: (line: string) => void): Promise<void> {
    for (const dir of dirs) {
      const path = join(dir, this.name);
      try {
        if (await this.#take(path)) break;
      } catch (error) {
        if (!isMissing(error))
          log(`${path} ignored: ${error instanceof Error ? error.message : String(error)}`);
      }
      // The copy in use is preferred over those in later folders.
      if (this.#path === path) break;
    }
    this.isRead = true;
  }

  /** Reads a changed file. Returns whether its current version is the one in use. Throws if the file is invalid. */
  async #take(path: string): Promise<boolean> {
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${ino} ${mtimeMs} ${size}`;
    if (this.#seen.get(path) === version) return this.#path === path;
    this.#seen.set(path, version);
    if (size > MAX_BYTES) throw new Error(`file has ${size} bytes, at most ${MAX_BYTES} allowed`);
    this.find = this.index(parseRdapBootstrap(await readFile(path, 'utf8')));
    this.#path = path;
    return true;
  }
}

/** IANA's largest file, dns.json, has about 70 kB. */
const MAX_BYTES = 5_000_000;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
