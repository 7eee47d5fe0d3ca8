import type { CountryNames, Language } from '../../pipeline/record/language.js';
import { placePart, UNKNOWN_PLACE } from '../../pipeline/record/place-part.js';
import { byteText, type ByteText } from '../byte-text.js';
import { GenerationCache } from '../release/generation-cache.js';
import type { Located, Snapshot } from '../release/snapshot.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import type { TargetAddress } from '../targets/target.js';
import { bgpOf, isObserved, UNKNOWN_BGP } from './bgp-part.js';
import { flatIpRecordSchema, ipRecordSchema, type BgpPart } from './ip-record-schema.js';
import { networkParts, RESERVED_NETWORK } from './network-part.js';
import { PairCache } from './pair-cache.js';
import { RecordTemplate, type NetworkText, type PlaceText } from './record-template.js';

/** The texts of a release in one language. */
interface Texts {
  readonly snapshot: Snapshot;
  readonly language: Language;
  readonly whole: PartTexts;
  readonly flat: PartTexts;
  /** Equal in all languages. */
  readonly bgps: PairCache<ByteText>;
}

/** The texts of the parts of one kind of record. */
interface PartTexts {
  readonly template: RecordTemplate;
  readonly places: GenerationCache<PlaceText>;
  readonly networks: PairCache<ObservedText>;
}

interface ObservedText extends NetworkText {
  /** Whether another publisher observed the AS, so that `bgp` depends on it. */
  readonly isObserved: boolean;
}

/** Texts per generation, language and kind of record. A place takes half a kilobyte, an operator as much, and `bgp` a kilobyte. */
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
    if (this.#reserved.has(address.ip)) return WHOLE.join(address, ...RESERVED.whole, NO_BGP);
    const texts = this.#textsOf(snapshot, language);
    const found = snapshot.answers.find(address.ip);
    const who = networkOf(texts, texts.whole, address.ip, found);
    const { announcer, route } = found;
    const observed = who.isObserved ? announcer : 0;
    const bgp = texts.bgps.get(observed, route) ?? newBgp(texts, address.ip, { observed, route });
    return WHOLE.join(address, this.#placeOf(texts, texts.whole, address.ip, found), who, bgp);
  }

  /** Returns the short flat record of an address as JSON. */
  flatTextOf(address: TargetAddress, snapshot: Snapshot, language: Language): ByteText {
    if (this.#reserved.has(address.ip)) return FLAT.join(address, ...RESERVED.flat, NO_BGP);
    const texts = this.#textsOf(snapshot, language);
    const found = snapshot.answers.find(address.ip);
    const place = this.#placeOf(texts, texts.flat, address.ip, found);
    return FLAT.join(address, place, networkOf(texts, texts.flat, address.ip, found), NO_BGP);
  }

  #textsOf(snapshot: Snapshot, language: Language): Texts {
    let known = this.#texts.get(snapshot);
    if (known === undefined) this.#texts.set(snapshot, (known = newTexts(snapshot)));
    return known[language];
  }

  #placeOf(
    { snapshot, language }: Texts,
    { template, places }: PartTexts,
    ip: string,
    { place }: Pick<Located, 'place'>,
  ): PlaceText {
    let text = places.get(place);
    if (text === undefined) {
      text = template.placeText(placePart(snapshot.places.get(ip), language, this.#countries));
      places.set(place, text);
    }
    return text;
  }
}

const WHOLE = new RecordTemplate(ipRecordSchema);
const FLAT = new RecordTemplate(flatIpRecordSchema);
const RESERVED = { whole: reservedParts(WHOLE), flat: reservedParts(FLAT) };

function reservedParts(template: RecordTemplate): readonly [PlaceText, NetworkText] {
  return [template.placeText(UNKNOWN_PLACE), template.networkText([RESERVED_NETWORK])];
}

function newTexts(snapshot: Snapshot): Readonly<Record<Language, Texts>> {
  const bgps = new PairCache<ByteText>(BGPS);
  const partsFor = (template: RecordTemplate): PartTexts => ({
    template,
    places: new GenerationCache(PLACES),
    networks: new PairCache(NETWORKS),
  });
  const textsIn = (language: Language): Texts => ({
    ...{ snapshot, language, bgps },
    whole: partsFor(WHOLE),
    flat: partsFor(FLAT),
  });
  return { zh: textsIn('zh'), en: textsIn('en') };
}

function networkOf(
  { snapshot, language }: Texts,
  { template, networks }: PartTexts,
  ip: string,
  { announcer, isp }: Pick<Located, 'announcer' | 'isp'>,
): ObservedText {
  let text = networks.get(announcer, isp);
  if (text === undefined) {
    const record = snapshot.announcers.get(ip);
    text = {
      ...template.networkText(networkParts(snapshot.isp.get(ip), record, language)),
      isObserved: record !== undefined && isObserved(record),
    };
    networks.set(announcer, isp, text);
  }
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

const NO_BGP = bgpText(UNKNOWN_BGP);
