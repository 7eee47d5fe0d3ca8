import t from 'tap';
import type { CityRecord } from '../../pipeline/merge/city-record.js';
import type { Verdict } from '../../pipeline/merge/verdict-record.js';
import type { AsnRecord } from '../../pipeline/routing/asn-records.js';
import type { NetworkRecord as WrittenNetwork } from '../../pipeline/routing/network-records.js';
import type { AddressRecord } from '../../pipeline/routing/route-schema.js';
import type { IspRecord } from '../../pipeline/service/isp-record.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  ServiceRecord,
  VerdictRecord,
} from './records.js';

/** Every key that the server reads, at any depth, as the pipeline writes it; `never` where the pipeline has none. */
type KeysOf<T> = T extends readonly (infer Part)[]
  ? KeysOf<Part>
  : T extends object
    ? { [Key in keyof T & string]: Key | `${Key}.${Depth1<NonNullable<T[Key]>>}` }[keyof T & string]
    : never;
/** The same one level down: records are not deeper where it matters. */
type Depth1<T> = T extends readonly (infer Part)[]
  ? Depth1<Part>
  : T extends object
    ? keyof T & string
    : never;

/** A place with something that no record has. */
interface Higher {
  readonly location?: { readonly latitude?: number; readonly altitude?: number };
}

/** `true` when the pipeline writes everything that the server reads, by name and type. */
type Reads<Read, Written> = Written extends Read
  ? Exclude<KeysOf<Required<Read>>, KeysOf<Required<Written>>> extends never
    ? true
    : Exclude<KeysOf<Required<Read>>, KeysOf<Required<Written>>>
  : 'a type differs';

t.test('the server reads the records that the pipeline writes', (t) => {
  // Compiling is the test: a key or a type that differs is an error here.
  const agreed: [
    Reads<VerdictRecord, Verdict>,
    Reads<ServiceRecord, IspRecord>,
    Reads<AnnouncerRecord, AsnRecord>,
    Reads<RoutedRecord, AddressRecord>,
    Reads<NetworkRecord, WrittenNetwork>,
    Reads<PlaceRecord, CityRecord>,
  ] = [true, true, true, true, true, true];
  t.equal(agreed.length, 6);
  t.end();
});

t.test('a record that the pipeline does not write is told', (t) => {
  const missing: Reads<Higher, CityRecord> = 'location.altitude';
  const other: Reads<{ readonly city?: string }, CityRecord> = 'a type differs';
  t.same([missing, other], ['location.altitude', 'a type differs']);
  t.end();
});
