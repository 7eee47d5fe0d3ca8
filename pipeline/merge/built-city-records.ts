import type { RecordBuilder } from '../mmdb/record-builder.js';
import type { MapSchema } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { CITY_SCHEMA, type CityRecord, type CityRecords } from './city-record.js';
import {
  CONFIDENCE_BITS,
  LOCATION_FIELD as FIELD,
  LOCATION_WIDTH,
  type LocationReader,
} from './location-table.js';

/** The fields of a record that many records have in common, and the integers of a location that they depend on. */
const SHARED = {
  agreement: [[FIELD.rule], [FIELD.feeds]],
  city: [[FIELD.cityId], [FIELD.cityName], [FIELD.confidences, CONFIDENCE_BITS.city]],
  continent: [[FIELD.country]],
  country: [[FIELD.country], [FIELD.confidences, CONFIDENCE_BITS.country]],
  registered_country: [[FIELD.registeredCountry]],
  subdivisions: [[FIELD.region], [FIELD.regionName], [FIELD.confidences, CONFIDENCE_BITS.region]],
  traits: [[FIELD.confidences, CONFIDENCE_BITS.anycast]],
} as const satisfies Partial<Record<keyof CityRecord, readonly (readonly [field: number, bits?: number])[]>>;

type SharedField = keyof typeof SHARED;

/**
 * The records of `geo.mmdb` for a list of locations. `build` makes a part such as a city once per distinct tuple of the
 * integers it depends on, and no object per record: there are millions of locations, most of them with coordinates of
 * their own.
 */
export class BuiltCityRecords implements RecordList {
  readonly length: number;
  readonly #records: CityRecords;
  readonly #locations: LocationReader;
  readonly #parts: readonly (SharedPart | undefined)[];
  readonly #place: PlaceFields;

  constructor(records: CityRecords, locations: LocationReader) {
    this.length = locations.length;
    this.#records = records;
    this.#locations = locations;
    this.#parts = Object.keys(CITY_SCHEMA.fields).map((name) => {
      return name === 'location' ? undefined : new SharedPart(name as SharedField, this);
    });
    this.#place = new PlaceFields(locations);
  }

  at(id: number): CityRecord {
    return this.#records.recordOf(this.#locations.at(id));
  }

  readonly build = (id: number, builder: RecordBuilder): number => {
    const { tuples } = this.#locations.columns;
    const from = id * LOCATION_WIDTH;
    const place = this.#place.build(id, builder);
    builder.start(CITY_SCHEMA);
    for (let field = 0; field < this.#parts.length; field++) {
      const shared = this.#parts[field];
      const part = shared === undefined ? place : shared.numberOf(tuples, from, builder);
      if (part !== NO_PART) builder.addPart(field, part);
    }
    return builder.finishRecord();
  };
}

/** Numbers one field of records by the integers it depends on. */
class SharedPart {
  readonly #name: SharedField;
  readonly #records: BuiltCityRecords;
  readonly #fields: Int32Array;
  readonly #bits: Int32Array;
  readonly #tuple: Int32Array;
  readonly #memo: TupleMemo;
  #id = 0;
  #builder: RecordBuilder | undefined;

  constructor(name: SharedField, records: BuiltCityRecords) {
    const integers: readonly (readonly [field: number, bits?: number])[] = SHARED[name];
    this.#name = name;
    this.#records = records;
    this.#fields = Int32Array.from(integers, ([field]) => field);
    this.#bits = Int32Array.from(integers, ([, bits = -1]) => bits);
    this.#tuple = new Int32Array(integers.length);
    this.#memo = new TupleMemo(integers.length);
  }

  /** Returns the number of the field of the location at `from`, or NO_PART. */
  numberOf(tuples: Int32Array, from: number, builder: RecordBuilder): number {
    const tuple = this.#tuple;
    for (let i = 0; i < tuple.length; i++) tuple[i] = tuples[from + this.#fields[i]!]! & this.#bits[i]!;
    this.#id = from / LOCATION_WIDTH;
    this.#builder = builder;
    return this.#memo.resolve(tuple, this.#make);
  }

  readonly #make = (): number => {
    const value = this.#records.at(this.#id)[this.#name];
    return value === undefined ? NO_PART : this.#builder!.partOf(value, CITY_SCHEMA, this.#name);
  };
}

/** Builds the field `location`: coordinates, radius and time zone. */
class PlaceFields {
  readonly #tuples: Int32Array;
  readonly #texts: readonly string[];
  /** The numbers of texts in the file, by their numbers in the locations; NO_PART while unknown. */
  readonly #numbers: Uint32Array;
  readonly #double = new Float64Array(1);
  readonly #halves = new Int32Array(this.#double.buffer);

  constructor({ columns }: LocationReader) {
    this.#tuples = columns.tuples;
    this.#texts = columns.texts;
    this.#numbers = new Uint32Array(columns.texts.length + 1);
  }

  /** Returns the part number of the field, or NO_PART. */
  build(id: number, builder: RecordBuilder): number {
    const tuples = this.#tuples;
    const from = id * LOCATION_WIDTH;
    const radius = tuples[from + FIELD.radiusKm]!;
    const timeZone = tuples[from + FIELD.timeZone]!;
    const latitude = this.#doubleAt(from + FIELD.latitude);
    const longitude = this.#doubleAt(from + FIELD.longitude);
    const hasRadius = radius !== NO_INTEGER;
    const isEmpty = !hasRadius && timeZone === 0 && Number.isNaN(latitude) && Number.isNaN(longitude);
    if (isEmpty) return NO_PART;
    builder.start(PLACE_SCHEMA);
    if (hasRadius) builder.addScalar(PLACE.accuracy_radius, 'uint16', radius);
    if (!Number.isNaN(latitude)) builder.addScalar(PLACE.latitude, 'double', latitude);
    if (!Number.isNaN(longitude)) builder.addScalar(PLACE.longitude, 'double', longitude);
    if (timeZone !== 0) builder.addPart(PLACE.time_zone, this.#numberOf(timeZone, builder));
    return builder.finish();
  }

  /** Returns the number in the file of a text of the locations. */
  #numberOf(text: number, builder: RecordBuilder): number {
    const number = this.#numbers[text]!;
    if (number !== NO_PART) return number;
    return (this.#numbers[text] = builder.textOf(this.#texts[text - 1]!));
  }

  #doubleAt(at: number): number {
    this.#halves[0] = this.#tuples[at]!;
    this.#halves[1] = this.#tuples[at + 1]!;
    return this.#double[0]!;
  }
}

const PLACE_SCHEMA = CITY_SCHEMA.fields['location'] as MapSchema;
const PLACE = { accuracy_radius: 0, latitude: 1, longitude: 2, time_zone: 3 } as const;

/** Instead of a part number where a record does not have the field. */
const NO_PART = 0;
/** An absent integer of a location. */
const NO_INTEGER = -0x8000_0000;
