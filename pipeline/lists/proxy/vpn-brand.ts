import type { Licence, OpenFile, PublishedFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { SingleAddresses } from './single-addresses.js';

/** A VPN provider that publishes its servers. */
export interface VpnBrand {
  readonly id: string;
  /** The company. */
  readonly publisher: string;
  /** The brand, as in `ListClaim.provider`. */
  readonly provider: string;
  readonly licence: Licence;
  readonly cadence: string;
  /** The provider's file in the folder `<id>`. */
  readonly file: Pick<PublishedFile, 'name' | 'maxUnpackedBytes' | 'download'>;
  /** The name of the same file in the shared folder of several providers. */
  readonly sharedName: string;
  /** Reads every server of a file. Throws FeedError. */
  readServers(file: OpenFile, servers: ServerSink): Promise<void>;
}

/** Receives the servers of a provider. Positions are 1-based numbers of servers in the file. */
export interface ServerSink {
  /** Inserts an address of a server. Rejects texts that are not a single address. */
  address(text: string, position: number): void;
  /** Counts an offline server. */
  skip(): void;
  /** Counts a server without an address. */
  unknown(): void;
  /** Rejects a value that is not a server. The excerpt has only the given keys. */
  reject(value: unknown, position: number, keys: readonly string[]): void;
}

/** The folder with the files of several providers. */
const SHARED_FOLDER = 'vpn-providers';

/**
 * Creates the list of a provider: type VPN with its brand, dated by the copy. Its two files have the same content, and
 * one of them is enough.
 */
export function vpnBrand(brand: VpnBrand): List {
  const { id, publisher, provider, licence, cadence, file, sharedName } = brand;
  const { maxUnpackedBytes } = file;
  const shared = {
    ...plainFile(SHARED_FOLDER, sharedName),
    ...(maxUnpackedBytes !== undefined && { maxUnpackedBytes }),
  };
  return {
    id,
    publisher,
    licence,
    files: [
      { ...plainFile(id, file.name), ...file, alternatives: [sharedName] },
      { ...shared, alternatives: [file.name] },
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
