import type { Language } from '../../pipeline/record/language.js';
import { byteText, type ByteText } from '../byte-text.js';
import type { Snapshot } from '../release/snapshot.js';
import type { TargetAddress } from '../targets/target.js';
import { FieldNames, pickFields, type FieldChoice } from './fields.js';
import { flatIpRecordSchema, ipRecordSchema } from './ip-record-schema.js';
import type { IpRecords } from './ip-record.js';

/** The parameter `fields` of the endpoints with IP records. */
export const RECORD_FIELDS = new FieldNames(ipRecordSchema);

/** The parameter `fields` of the endpoints with the flat record. */
export const FLAT_FIELDS = new FieldNames(flatIpRecordSchema);

/** What a call wants of each record. */
export interface Wanted {
  readonly snapshot: Snapshot;
  readonly language: Language;
  /** Undefined for the whole record. */
  readonly choice: FieldChoice | undefined;
}

/** Returns the function that gives the record of an address as JSON: the whole record, or its chosen fields. */
export function recordEncoder(
  records: IpRecords,
  { snapshot, language, choice }: Wanted,
): (address: TargetAddress) => ByteText {
  if (choice === undefined) return (address) => records.textOf(address, snapshot, language);
  return (address) =>
    byteText(JSON.stringify(pickFields(records.recordOf(address, snapshot, language), choice)));
}

/** Returns the flat record of an address as JSON: the whole record, or its chosen fields. */
export function flatText(
  records: IpRecords,
  address: TargetAddress,
  { snapshot, language, choice }: Wanted,
): ByteText {
  if (choice === undefined) return records.flatTextOf(address, snapshot, language);
  return byteText(JSON.stringify(pickFields(records.flatRecordOf(address, snapshot, language), choice)));
}
