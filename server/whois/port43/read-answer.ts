import { UpstreamError } from '../../upstream-error.js';
import { cutRaw } from '../raw-text.js';
import {
  fillFromRegistrar,
  type RecordFields,
  type Registration,
  type WhoisAnswer,
  type WhoisTarget,
} from '../whois-record.js';
import { parseAddressRange } from './address-range.js';
import { parseDomain } from './parse-domain.js';
import { namesPoolOnly, parseNetwork } from './parse-network.js';
import { refusalIn } from './refusal.js';
import { habitsOf } from './server-habits.js';
import { splitFields } from './split-fields.js';

/**
 * Reads a server's reply about a target. Phrases for absence only count if the reply has no record. Throws
 * UpstreamError for a rate limit and for an unusable reply.
 */
export function readAnswer(server: string, text: string, target: WhoisTarget): WhoisAnswer {
  const record = recordIn(server, text, target);
  const raw = cutRaw(text);
  if (record) return { kind: 'found', registration: { raw, ...record } };
  const refusal = refusalIn(text, queryText(target)) ?? poolOnly(text, target);
  if (refusal === 'absent') return { kind: 'absent', raw };
  if (refusal === 'rate-limited') throw new UpstreamError('rate-limited', `${server} rate-limited us`);
  throw new UpstreamError('malformed', `${server} returned no record`);
}

/** Fills empty fields of a domain registry's record from the registrar's. `raw` contains both replies. */
export function mergeThin(thin: Registration, registrar: Registration): Registration {
  return { ...fillFromRegistrar(thin, registrar), raw: cutRaw(`${thin.raw}\n${registrar.raw}`) };
}

/** Decodes a reply: UTF-8 if it is valid, otherwise the server's charset, otherwise windows-1252. */
export function decodeAnswer(bytes: Uint8Array, charset: string | undefined): string {
  // ISO-2022-JP is also valid UTF-8, because it consists of ASCII bytes.
  if (charset === 'iso-2022-jp' && bytes.includes(ESCAPE)) return decode(bytes, charset);
  return decodeUtf8(bytes) ?? decode(bytes, charset ?? 'windows-1252');
}

const ESCAPE = 0x1b;

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function decode(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(bytes);
}

function recordIn(server: string, text: string, target: WhoisTarget): RecordFields | undefined {
  const fields = splitFields(text);
  const habits = habitsOf(server);
  if (target.kind === 'domain') return parseDomain(fields, target.name, habits);
  if (target.kind === 'asn') return parseNetwork(fields, target, habits);
  const range = parseAddressRange(queryText(target));
  return range && parseNetwork(fields, { kind: 'ip', range }, habits);
}

/** RIRs answer for an unassigned address or AS with the pool it belongs to. */
function poolOnly(text: string, target: WhoisTarget): 'absent' | undefined {
  return target.kind !== 'domain' && namesPoolOnly(splitFields(text), target.kind) ? 'absent' : undefined;
}

function queryText(target: WhoisTarget): string {
  switch (target.kind) {
    case 'domain':
      return target.name;
    case 'asn':
      return `as${target.asn}`;
    case 'ip':
      return target.length === undefined ? target.ip : `${target.ip}/${target.length}`;
  }
}
