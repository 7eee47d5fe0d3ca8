/** Records by prefix, as CIDR text. */
export type Rows<Record> = readonly (readonly [prefix: string, record: Record])[];
