import { publicName } from '../targets/public-name.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { parseTargetAddress } from '../targets/target.js';
import { reverseNameOf } from './reverse-name.js';

/** The name of an address's PTR records where others may be asked about it; a name stays what it is. */
export function publicPointerName(text: string, reserved: ReservedSpace): string | undefined {
  const address = parseTargetAddress(text);
  return publicName(address === undefined ? text : reverseNameOf(address.ip), reserved);
}
