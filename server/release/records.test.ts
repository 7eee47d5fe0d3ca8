import t from 'tap';
import type { CityRecord } from '../../pipeline/merge/city-record.js';
import type { Verdict } from '../../pipeline/merge/verdict-record.js';
import type { AsnRecord } from '../../pipeline/routing/asn-records.js';
import type { NetworkRecord as WrittenNetwork } from '../../pipeline/routing/network-records.js';
import type { AddressRecord } from '../../pipeline/routing/route-schema.js';
import type { IspRecord } from '../../pipeline/isp/isp-record.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  IspRecord as ReadIspRecord,
  VerdictRecord,
} from './records.js';

/** Every key that the server reads, at any depth, with the pipeline's type; `never` where the pipeline has none. */
type KeysOf<T> = T extends readonly (infer Part)[]
  ? KeysOf<Part>
  : T extends object
    ? { [Key in keyof T & string]: Key | `${Key}.${Depth1<NonNullable<T[Key]>>}` }[keyof T & string]
    : never;
/** The same for nested records. */
type Depth1<T> = T extends readonly (infer Part)[]
  ? Depth1<Part>
  : T extends object
    ? keyof T & string
    : never;

/** A place with a field that no record has. */
interface Higher {
  readonly location?: { readonly latitude?: number; readonly altitude?: number };
}

/** `true` when the pipeline writes every field that the server reads, with the same type. */
type Reads<Read, Written> = Written extends Read
  ? Exclude<KeysOf<Required<Read>>, KeysOf<Required<Written>>> extends never
    ? true
    : Exclude<KeysOf<Required<Read>>, KeysOf<Required<Written>>>
  : 'a type differs';

t.test('the server reads the records that the pipeline writes', (t) => {
  // The compiler checks this: a different key or type is a type error.
  const agreed: [
    Reads<VerdictRecord, Verdict>,
    Reads<ReadIspRecord, IspRecord>,
    Reads<AnnouncerRecord, AsnRecord>,
    Reads<RoutedRecord, AddressRecord>,
    Reads<NetworkRecord, WrittenNetwork>,
    Reads<PlaceRecord, CityRecord>,
  ] = [true, true, true, true, true, true];
  t.equal(agreed.length, 6);
  t.end();
});

t.test('a field that the pipeline does not write is detected', (t) => {
  const missing: Reads<Higher, CityRecord> = 'location.altitude';
  const other: Reads<{ readonly city?: string }, CityRecord> = 'a type differs';
  t.same([missing, other], ['location.altitude', 'a type differs']);
  t.end();
});
