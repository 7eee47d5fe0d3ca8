/** A program or library that reads MMDB files, and what it is asked. */
export interface Client {
  readonly name: string;
  readonly from: DebianPackages | NpmPackage;
  readonly questions: readonly Question[];
}

/** The Debian packages that a client needs; the first one has its version. */
export interface DebianPackages {
  readonly debian: readonly string[];
}

export interface NpmPackage {
  readonly npm: string;
}

/** A question to a client, and the database types of the files in which it is asked. */
export interface Question {
  /** The function, variable or setting in question, in Markdown. */
  readonly asked: string;
  readonly types: readonly string[];
  /** Paths in the record, such as `subdivisions.0.names.en`, of the values that the client should answer. */
  readonly fields: readonly string[];
  /**
   * Returns a line for each address: the values of the fields, with tabs between them; empty for absent ones and false.
   * Throws a ClientError when the client refuses the file or fails.
   */
  readonly ask: (asked: Asked) => readonly string[] | Promise<readonly string[]>;
}

export interface Asked {
  readonly file: string;
  readonly type: string;
  readonly fields: readonly string[];
  readonly addresses: readonly string[];
  /** The different lines that are expected, without the empty one: some clients only compare with what they know. */
  readonly known: readonly string[];
  /** An empty folder for the files of the client. */
  readonly folder: string;
}

/** A client does not answer. The message is its own, in one line. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
}

/** The fields that are asked of each model of GeoIP2, by the name of its method in Python. */
export const MODEL_FIELDS = {
  city: ['country.iso_code', 'subdivisions.0.names.en', 'city.names.en', 'location.latitude'],
  country: ['country.iso_code', 'country.names.en', 'continent.code', 'registered_country.iso_code'],
  asn: ['autonomous_system_number', 'autonomous_system_organization'],
  isp: ['isp', 'organization', 'autonomous_system_number'],
  anonymous_ip: ['is_anonymous', 'is_hosting_provider', 'is_tor_exit_node'],
} as const;
export type Model = keyof typeof MODEL_FIELDS;
export const MODELS = Object.keys(MODEL_FIELDS) as readonly Model[];

/** The database types that contain the fields of each model. */
export const MODEL_TYPES: Readonly<Record<Model, readonly string[]>> = {
  city: ['ipatlas-City', 'GeoLite2-City', 'GeoIP2-City'],
  country: ['ipatlas-City', 'GeoLite2-Country', 'GeoIP2-Country'],
  asn: ['ipatlas-ASN', 'GeoLite2-ASN'],
  isp: ['ipatlas-ISP', 'GeoIP2-ISP'],
  anonymous_ip: ['ipatlas-ISP', 'GeoIP2-Anonymous-IP'],
};

/** The fields of all models, for a client that reads every file by paths. */
export function allFields(asked: string, ask: Question['ask']): Question[] {
  return MODELS.map((model) => ({ asked, types: MODEL_TYPES[model], fields: MODEL_FIELDS[model], ask }));
}
