import assert from 'node:assert';
import type { z } from 'zod';
import { UNKNOWN_PLACE, type PlacePart } from '../../pipeline/record/place-part.js';
import { byteText, type ByteText } from '../byte-text.js';
import type { TargetAddress } from '../targets/target.js';
import { UNKNOWN_NETWORK, type NetworkPart, type NetworkParts } from './network-part.js';
import { placeWords } from './location.js';

/** A part of a record as JSON, for all records that have it. */
interface PartText {
  /** The fields of each run, each with a comma before it. */
  readonly runs: readonly ByteText[];
}

/** The fields that come from the place, and its words in `location`. */
export interface PlaceText extends PartText {
  readonly words: readonly string[];
  readonly wordsText: ByteText;
}

/** The fields that come from the operator and the AS, and its word in `location`. */
export interface NetworkText extends PartText {
  readonly isp: string;
  readonly ispText: ByteText;
}

/** The parts that a field can come from. Fields of an address are the first ones; `location` joins two parts. */
type Owner = 'address' | 'place' | 'network' | 'location' | 'bgp';

/** Consecutive fields of one part. */
interface Run {
  readonly owner: Owner;
  readonly keys: readonly string[];
  /** Its index among the runs of its part. */
  readonly index: number;
}

/** Makes the JSON of the records of a schema from the texts of their parts. A new field is in the part that has it. */
export class RecordTemplate {
  /** The fields in the order of the schema. */
  readonly #runs: readonly Run[];
  readonly #placeRuns: readonly Run[];
  readonly #networkRuns: readonly Run[];
  readonly #hasVersion: boolean;

  constructor(schema: z.ZodObject) {
    const [first, ...runs] = runsOf(Object.keys(schema.shape));
    assert(first?.keys[0] === 'ip', 'a record begins with its address');
    assert(!runs.some(({ owner }) => owner === 'address'), 'the fields of an address come first');
    this.#hasVersion = first.keys.length > 1;
    this.#runs = runs;
    this.#placeRuns = runs.filter(({ owner }) => owner === 'place');
    this.#networkRuns = runs.filter(({ owner }) => owner === 'network');
  }

  /** Returns the text of a place. */
  placeText(place: PlacePart): PlaceText {
    const words = placeWords(place);
    return { runs: runTexts(this.#placeRuns, [place]), words, wordsText: inner(words.join(' ')) };
  }

  /** Returns the text of an operator and an AS. */
  networkText(parts: NetworkParts | readonly [NetworkPart]): NetworkText {
    const [{ isp }] = parts;
    return { runs: runTexts(this.#networkRuns, parts), isp, ispText: inner(isp) };
  }

  /** Joins the parts to the record of an address, byte for byte as `JSON.stringify` encodes the record itself. */
  join({ ip, version }: TargetAddress, place: PlaceText, network: NetworkText, bgp: ByteText): ByteText {
    let text = this.#hasVersion ? `{"ip":"${ip}","version":${version}` : `{"ip":"${ip}"`;
    for (const { owner, index } of this.#runs) {
      if (owner === 'place') text += place.runs[index]!;
      else if (owner === 'network') text += network.runs[index]!;
      else if (owner === 'bgp') text += `,"bgp":${bgp}`;
      else text += `,"location":"${locationText(place, network)}"`;
    }
    return `${text}}` as ByteText;
  }
}

function runsOf(keys: readonly string[]): Run[] {
  const runs: { owner: Owner; keys: string[]; index: number }[] = [];
  for (const key of keys) {
    const owner = ownerOf(key);
    const last = runs.at(-1);
    if (last?.owner === owner) last.keys.push(key);
    else runs.push({ owner, keys: [key], index: runs.filter((run) => run.owner === owner).length });
  }
  return runs;
}

function ownerOf(key: string): Owner {
  if (key === 'ip' || key === 'version') return 'address';
  if (key === 'location' || key === 'bgp') return key;
  if (key in UNKNOWN_NETWORK) return 'network';
  if (key in UNKNOWN_PLACE || key === 'is_anycast') return 'place';
  throw new Error(`the field ${key} of an IP record is in none of its parts`);
}

function runTexts(runs: readonly Run[], parts: readonly object[]): ByteText[] {
  return runs.map(({ keys }) => {
    let text = '';
    for (const key of keys) {
      const part = parts.find((one) => key in one) as Readonly<Record<string, Scalar>> | undefined;
      if (part !== undefined) text += `,"${key}":${encoded(part[key]!)}`;
    }
    return byteText(text);
  });
}

type Scalar = string | number | boolean | null;

/** Encodes a value as JSON. Texts without characters to escape are quoted in a fraction of the time. */
function encoded(value: Scalar): string {
  if (typeof value === 'string' && !TO_ESCAPE.test(value)) return `"${value}"`;
  return JSON.stringify(value);
}

/** Characters that JSON escapes (RFC 8259 §7), and surrogates, because `JSON.stringify` escapes lone ones. */
const TO_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Returns the text of a string in JSON, without the quotes. */
function inner(text: string): ByteText {
  return byteText(encoded(text).slice(1, -1));
}

function locationText({ words, wordsText }: PlaceText, { isp, ispText }: NetworkText): string {
  if (isp === '' || words.includes(isp)) return wordsText;
  return words.length === 0 ? ispText : `${wordsText} ${ispText}`;
}
