import type { CountryNames, Language } from '../../pipeline/record/language.js';
import { placePart, UNKNOWN_PLACE } from '../../pipeline/record/place-part.js';
import { byteText, type ByteText } from '../byte-text.js';
import type { Located, Snapshot } from '../release/snapshot.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import type { TargetAddress } from '../targets/target.js';
import { bgpOf, isObserved, UNKNOWN_BGP } from './bgp-part.js';
import type { BgpPart } from './ip-record-schema.js';
import { networkParts, RESERVED_NETWORK } from './network-part.js';
import { PairCache } from './pair-cache.js';
import { joinRecord, networkText, placeText, type NetworkText, type PlaceText } from './record-template.js';

/** The texts of a release in one language. */
interface Texts {
  readonly snapshot: Snapshot;
  readonly language: Language;
  readonly places: PairCache<PlaceText>;
  readonly networks: PairCache<NetworkText & { readonly isObserved: boolean }>;
  /** Equal in all languages. */
  readonly bgps: PairCache<ByteText>;
}

/** Texts per generation. A place takes half a kilobyte, an operator as much, and `bgp` a kilobyte. */
const PLACES = 1 << 15;
const NETWORKS = 1 << 14;
const BGPS = 1 << 14;

/**
 * Joins the JSON of IP records from texts that were encoded once per record of a release and language: the place, the
 * operator with the AS, and `bgp`. Only the address is encoded for each call.
 */
export class RecordTexts {
  readonly #reserved: ReservedSpace;
  readonly #countries: CountryNames;
  readonly #texts = new WeakMap<Snapshot, Readonly<Record<Language, Texts>>>();

  constructor(sources: { readonly reserved: ReservedSpace; readonly countries: CountryNames }) {
    this.#reserved = sources.reserved;
    this.#countries = sources.countries;
  }

  /** Returns the record of an address as JSON. */
  textOf(address: TargetAddress, snapshot: Snapshot, language: Language): ByteText {
    if (this.#reserved.has(address.ip)) return joinRecord(address, RESERVED_PLACE, RESERVED_OPERATOR, NO_BGP);
    const texts = this.#textsOf(snapshot, language);
    const { place, isp, announcer, route } = snapshot.answers.find(address.ip);
    const where = texts.places.get(0, place) ?? this.#newPlace(texts, address.ip, place);
    const who = texts.networks.get(announcer, isp) ?? newNetwork(texts, address.ip, { announcer, isp });
    const observed = who.isObserved ? announcer : 0;
    const bgp = texts.bgps.get(observed, route) ?? newBgp(texts, address.ip, { observed, route });
    return joinRecord(address, where, who, bgp);
  }

  #textsOf(snapshot: Snapshot, language: Language): Texts {
    let known = this.#texts.get(snapshot);
    if (known === undefined) this.#texts.set(snapshot, (known = newTexts(snapshot)));
    return known[language];
  }

  #newPlace({ snapshot, language, places }: Texts, ip: string, number: number): PlaceText {
    const text = placeText(placePart(snapshot.places.get(ip), language, this.#countries));
    places.set(0, number, text);
    return text;
  }
}

function newTexts(snapshot: Snapshot): Readonly<Record<Language, Texts>> {
  const bgps = new PairCache<ByteText>(BGPS);
  const textsIn = (language: Language): Texts => ({
    ...{ snapshot, language, bgps },
    places: new PairCache(PLACES),
    networks: new PairCache(NETWORKS),
  });
  return { zh: textsIn('zh'), en: textsIn('en') };
}

function newNetwork(
  { snapshot, language, networks }: Texts,
  ip: string,
  { announcer, isp }: Pick<Located, 'announcer' | 'isp'>,
): NetworkText & { readonly isObserved: boolean } {
  const record = snapshot.announcers.get(ip);
  const text = {
    ...networkText(networkParts(snapshot.isp.get(ip), record, language)),
    isObserved: record !== undefined && isObserved(record),
  };
  networks.set(announcer, isp, text);
  return text;
}

/** Encodes `bgp` of a route, or of a route and an AS that another publisher observed. */
function newBgp(
  { snapshot, bgps }: Texts,
  ip: string,
  { observed, route }: { readonly observed: number; readonly route: number },
): ByteText {
  const announcer = observed === 0 ? undefined : snapshot.announcers.get(ip);
  const text = bgpText(bgpOf(snapshot.routes.get(ip), announcer, snapshot));
  bgps.set(observed, route, text);
  return text;
}

function bgpText(bgp: BgpPart): ByteText {
  return byteText(JSON.stringify(bgp));
}

const RESERVED_PLACE = placeText(UNKNOWN_PLACE);
const RESERVED_OPERATOR = networkText([RESERVED_NETWORK]);
const NO_BGP = bgpText(UNKNOWN_BGP);
