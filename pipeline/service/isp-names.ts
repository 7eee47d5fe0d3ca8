import { carrierById, carrierCalled, carrierOfAs, type Carrier } from './carriers.js';
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
 * renewed daily; a list's row is about the very address; Chinese feeds know who uses space that a carrier announces,
 * which its AS does not tell; the holder of the AS is left for the rest.
 */
const PRECEDENCE: readonly ((sources: NameSources) => Word | undefined)[] = [
  ({ carrier }) => carrierWord(carrier === undefined ? undefined : carrierById(carrier)),
  ({ listed, fed }) => listed?.isp && wordOf(listed.isp, textOf(fed?.local)),
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
