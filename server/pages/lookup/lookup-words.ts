import type { UpstreamReason } from '../../upstream-error.js';
import type { PlaceMap } from '../place-map.js';
import type { Agreement, AgreementCount } from './agreement.js';

/** The words of the pages about addresses, prefixes, ASes and names. */
export interface LookupWords {
  readonly yours: string;
  /** Heading of a host name. */
  readonly name: string;
  readonly invalidTarget: (text: string) => string;
  readonly noAs: (asn: number) => string;
  readonly permalink: string;
  /** What the service is, on the first page. */
  readonly about: { readonly sentence: string; readonly docs: string; readonly status: string };
  /** Before the path of the same answer in the API. */
  readonly asJson: string;
  readonly unknownPlace: string;
  readonly reserved: string;
  readonly marks: Readonly<Record<'proxy' | 'clean' | 'hosting' | 'anycast' | 'threat', string>>;
  readonly where: string;
  readonly who: string;
  readonly sure: string;
  readonly facts: Readonly<
    Record<
      | 'place'
      | 'continent'
      | 'coordinates'
      | 'radius'
      | 'timezone'
      | 'isp'
      | 'organisation'
      | 'as'
      | 'usage'
      | 'cloud'
      | 'proxy'
      | 'lastSeen'
      | 'fraudScore'
      | 'prefix'
      | 'origin'
      | 'rpki'
      | 'upstreams'
      | 'neighbours'
      | 'allocation'
      | 'line'
      | 'exchanges'
      | 'registry'
      | 'country'
      | 'prefixes'
      | 'providers'
      | 'customers'
      | 'peers'
      | 'registrar'
      | 'registrant'
      | 'created'
      | 'updated'
      | 'expires'
      | 'status'
      | 'nameServers'
      | 'covering',
      string
    >
  >;
  readonly levels: Readonly<Record<'country' | 'region' | 'city', string>>;
  readonly sureNote: string;
  readonly map: (place: string) => string;
  readonly verdicts: string;
  readonly verdictCaption: (ip: string) => string;
  /** How many databases agree with the answer, by level. */
  readonly agreement: (counts: readonly AgreementCount[]) => string;
  readonly source: string;
  readonly comparison: Readonly<Record<Agreement, string>>;
  /** The signs on the map. */
  readonly legend: PlaceMap['legend'];
  readonly noRecord: string;
  readonly noVerdicts: string;
  readonly route: string;
  readonly noRoute: string;
  readonly noRouteOfPrefix: string;
  readonly accordingTo: (publisher: string) => string;
  readonly paths: (count: number) => string;
  readonly rpki: Readonly<Record<'valid' | 'invalid' | 'unknown', string>>;
  readonly prefixesOf: (name: string) => string;
  readonly notInUse: string;
  /** The states of an AS number at its registry. */
  readonly delegated: Readonly<Record<'allocated' | 'assigned', string>>;
  readonly more: (count: number) => string;
  readonly reverse: string;
  readonly noReverse: string;
  readonly dns: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: string;
  readonly noRecords: string;
  readonly registration: string;
  readonly raw: string;
  readonly notRegistered: string;
  readonly available: string;
  readonly noAnswer: Readonly<Record<UpstreamReason, string>>;
  readonly address: string;
  /** In the place of a section that has not arrived. */
  readonly waiting: (section: string) => string;
  readonly addressOf: (name: string) => string;
  readonly noAddress: string;
}
