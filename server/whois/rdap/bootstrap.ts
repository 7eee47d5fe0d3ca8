import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRdapBootstrap, type RdapService } from '../../../pipeline/net/rdap-bootstrap.js';
import type { WhoisTarget } from '../whois-record.js';
import {
  indexAsns,
  indexDomains,
  indexPrefixes,
  type AskedPrefix,
  type FindServers,
} from './service-index.js';

/** Where bootstrap files lie, and how they are read. */
export interface BootstrapOptions {
  /** Of each file the first folder's that has a good one. */
  readonly dirs: readonly string[];
  /** Takes URLs with a port: for tests. */
  readonly allowPorts: boolean;
  /** How often the files are looked at. */
  readonly lookEveryMs?: number;
  /** Hears of files that are no bootstrap files, each once. */
  readonly log?: (line: string) => void;
}

/**
 * Says which RDAP servers know of something (RFC 9224). The files are read when they have changed, beside the requests;
 * one that is torn or gone leaves what was read before.
 */
export class RdapBootstrap {
  readonly #files: readonly WatchedFile[];
  readonly #dns: IndexFile<string>;
  readonly #ipv4: IndexFile<AskedPrefix>;
  readonly #ipv6: IndexFile<AskedPrefix>;
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

  /** The base URLs to ask one after another until one answers; absent where nobody is listed. */
  async serversOf(target: WhoisTarget): Promise<readonly URL[] | undefined> {
    // For the first one who asks: later looks go on beside.
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

  /** Reads what has changed since the last look. */
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

/** One of the files, as it was last good. */
class IndexFile<Query> {
  find: FindServers<Query> | undefined;
  isRead = false;
  #path: string | undefined;
  /** What was seen last at each path; such a file is not read again. */
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
          log(`${path} is left out: ${error instanceof Error ? error.message : String(error)}`);
      }
      // The copy that is in use is better than that of a folder further down.
      if (this.#path === path) break;
    }
    this.isRead = true;
  }

  /** False for a file that was refused before. Throws what is wrong with it. */
  async #take(path: string): Promise<boolean> {
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${ino} ${mtimeMs} ${size}`;
    if (this.#seen.get(path) === version) return this.#path === path;
    this.#seen.set(path, version);
    if (size > MAX_BYTES) throw new Error(`${size} bytes are too many`);
    this.find = this.index(parseRdapBootstrap(await readFile(path, 'utf8')));
    this.#path = path;
    return true;
  }
}

/** Of the largest, dns.json, IANA's has 70 kB. */
const MAX_BYTES = 5_000_000;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
