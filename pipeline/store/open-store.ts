import { FolderStore } from './folder-store.js';
import type { ObjectStore } from './object-store.js';
import { S3Store } from './s3-store.js';
import type { StoreAddress } from './store-address.js';

/** Opens a store. Does not connect: the first call does. */
export async function openStore(address: StoreAddress): Promise<ObjectStore> {
  return address.kind === 'folder' ? new FolderStore(address.path) : S3Store.open(address);
}
