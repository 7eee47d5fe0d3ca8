import type { Download, Licence, OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import { onlyLayer, type List, type ListSink } from '../lists/list.js';
import { plainFile } from '../lists/plain-file.js';
import { SingleAddresses } from './single-addresses.js';

/** How one VPN provider publishes its servers. */
export interface VpnBrand {
  readonly id: string;
  /** Company. */
  readonly publisher: string;
  /** Brand, as `provider` has it. */
  readonly provider: string;
  readonly licence: Licence;
  readonly cadence: string;
  /** The provider's own file in folder `<id>`. */
  readonly file: { readonly name: string; readonly download?: Download };
  /** What the same file is called in a folder of several providers' files. */
  readonly sharedName: string;
  /** Reads every server of a file. Throws FeedError. */
  readServers(file: OpenFile, servers: ServerSink): Promise<void>;
}

/** Where the addresses of a provider's servers go. Positions are 1-based numbers of the server in its list. */
export interface ServerSink {
  /** An address of a server; one that is no single address is rejected. */
  address(text: string, position: number): void;
  /** A server that is switched off. */
  skip(): void;
  /** A server without an address. */
  unknown(): void;
  /** What is no server; the named keys of it are told. */
  reject(value: unknown, position: number, keys: readonly string[]): void;
}

/** Folder with the servers of several providers. */
const SHARED_FOLDER = 'vpn-providers';

/**
 * The list of a provider that publishes its servers: VPN under its brand, dated by the copy. Both files say the same,
 * either is enough.
 */
export function vpnBrand(brand: VpnBrand): List {
  const { id, publisher, provider, licence, cadence, file, sharedName } = brand;
  return {
    id,
    publisher,
    licence,
    files: [
      { ...plainFile(id, file.name, file.download), alternatives: [sharedName] },
      { ...plainFile(SHARED_FOLDER, sharedName), alternatives: [file.name] },
    ],
    cadence,
    version: 1,
    tolerance: 0.01,
    maxAgeDays: 30,
    foldMapped: true,
    layers: ['servers'],
    combine: onlyLayer,
    read: (files, sinkFor) =>
      readEach(id, files, (one) => brand.readServers(one, serverSink(sinkFor(one), provider))),
  };
}

function serverSink(sink: ListSink, provider: string): ServerSink {
  const addresses = new SingleAddresses(sink);
  const claimId = sink.intern({ type: 'VPN', provider });
  return {
    address: (text, position) => {
      addresses.add(text, claimId, { position });
    },
    skip: () => {
      sink.skip();
    },
    unknown: () => {
      sink.unknown();
    },
    reject: (value, position, keys) => {
      sink.reject('json', position, JSON.stringify(value, [...keys]));
    },
  };
}
