import { carrierById, carrierCalled, carrierOfAs, runsCloud, type Carrier } from './carriers.js';
import { isStreet, type SpelledIsp } from './isp-spelling.js';
import type { Origin } from './service.js';

/** What feeds of ISPs come to for one network. */
export interface FedNames {
  /** Of the first feed that names somebody in Chinese. */
  readonly local: SpelledIsp | undefined;
  /** Of the first feed that names the AS in full. */
  readonly english: SpelledIsp | undefined;
  /** A name in Latin letters in a Chinese feed. */
  readonly spelled: SpelledIsp | undefined;
}

/** Who holds the AS that announces a network. */
export interface Holder {
  readonly carrier: Carrier | undefined;
  /** Absent where no registry tells a name. */
  readonly name: string | undefined;
}

/** What the names of one network are chosen from. */
export interface NameSources {
  /** Carrier by a list of prefixes, by its id. */
  readonly carrier: string | undefined;
  /** ISP of the very address, by a list; as it is written and as it is read. */
  readonly listed: { readonly text: string; readonly isp: SpelledIsp | undefined } | undefined;
  readonly fed: FedNames | undefined;
  readonly holder: Holder | undefined;
}

/** Who operates a network. Absent is unknown. */
export interface IspNames {
  readonly en?: string;
  readonly 'zh-CN'?: string;
  /** The company behind it, which may be more precise (`ChinaNet Guangdong Province Network`), else the AS's holder. */
  readonly organization?: string;
}

/** What a source says about the ISP: a carrier, which has names in both languages, or names as they are spelled. */
type Word =
  | { readonly carrier: Carrier }
  | { readonly carrier?: undefined; readonly en: string | undefined; readonly zh: string | undefined };

/**
 * Whose word makes the names of the ISP, the first that has one. Prefix lists of carriers are made of routes and
 * renewed daily, but know customers of one carrier only as that carrier; a list's row is about the very address; a cloud
 * announces what is its own; Chinese feeds know who uses space that a carrier announces, which its AS does not tell; the
 * holder of the AS is left for the rest.
 */
const PRECEDENCE: readonly ((sources: NameSources) => Word | undefined)[] = [
  (sources) => (isOfCustomer(sources) ? undefined : carrierWord(listedCarrier(sources))),
  ({ listed, fed }) => listed?.isp && wordOf(listed.isp, textOf(fed?.local)),
  ({ holder }) => carrierWord(cloudOf(holder)),
  ({ fed, holder }) => fed?.local && wordOf(fed.local, englishOf(fed, holder)),
  ({ holder }) => carrierWord(holder?.carrier),
  ({ fed }) => carrierWord(fed?.english?.kind === 'carrier' ? fed.english.carrier : undefined),
  ({ fed, holder }) => ({ en: englishOf(fed, holder), zh: undefined }),
];

/** Chooses the names of one network's ISP; a pure function. */
export function nameIsp(sources: NameSources): IspNames {
  const { listed, fed, holder } = sources;
  let word: Word | undefined;
  for (const ask of PRECEDENCE) if ((word = ask(sources))) break;
  const en = word?.carrier ? word.carrier.en : word?.en;
  const zh = word?.carrier ? word.carrier.zh : word?.zh;
  const organization = listed?.text ?? holder?.name ?? textOf(fed?.english);
  return {
    ...(en !== undefined && { en }),
    ...(zh !== undefined && { 'zh-CN': zh }),
    ...(organization !== undefined && { organization }),
  };
}

/**
 * Who holds an AS: a carrier by its number, else by what the registries call it; by name the registered entity, unless
 * the registry has its street there, else the network's short name.
 */
export function holderOf({ asn, name, organisation }: Origin): Holder {
  const called = name === organisation ? [name] : [name, organisation];
  return {
    carrier: carrierOfAs(asn) ?? carrierCalled(called.filter((text) => text !== undefined).join(' ')),
    name: organisation === undefined || isStreet(organisation) ? name : organisation,
  };
}

/** The carrier by a list of prefixes. */
function listedCarrier({ carrier }: NameSources): Carrier | undefined {
  return carrier === undefined ? undefined : carrierById(carrier);
}

/** Whether a network that a carrier's routes lead to has an operator of its own: a cloud, or one whom a feed and the AS know. */
function isOfCustomer({ fed, holder }: NameSources): boolean {
  if (cloudOf(holder)) return true;
  return fed?.local?.kind === 'chinese' && holder?.name !== undefined && holder.carrier === undefined;
}

function cloudOf(holder: Holder | undefined): Carrier | undefined {
  return holder?.carrier && runsCloud(holder.carrier) ? holder.carrier : undefined;
}

function carrierWord(carrier: Carrier | undefined): Word | undefined {
  return carrier && { carrier };
}

/** A name in one script, with the one in the other script from elsewhere. */
function wordOf(isp: SpelledIsp, other: string | undefined): Word {
  if (isp.kind === 'carrier') return isp;
  return isp.kind === 'chinese' ? { en: other, zh: isp.text } : { en: isp.text, zh: other };
}

/** The English name of an ISP that is no carrier: a carrier that announces its space is somebody else. */
function englishOf(fed: FedNames | undefined, holder: Holder | undefined): string | undefined {
  return textOf(fed?.english) ?? (holder?.carrier ? undefined : holder?.name) ?? textOf(fed?.spelled);
}

function textOf(isp: SpelledIsp | undefined): string | undefined {
  return isp === undefined || isp.kind === 'carrier' ? undefined : isp.text;
}
