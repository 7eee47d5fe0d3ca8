import { UpstreamError } from '../../upstream-error.js';
import { cutRaw } from '../raw-text.js';
import type { Registration, WhoisAnswer, WhoisTarget } from '../whois-record.js';
import { parseAddressRange } from './address-range.js';
import { parseDomain } from './parse-domain.js';
import { namesPoolOnly, parseNetwork } from './parse-network.js';
import type { RecordFields } from './record-fields.js';
import { refusalIn } from './refusal.js';
import { habitsOf } from './server-habits.js';
import { splitFields } from './split-fields.js';

/**
 * What a server's text says of a target. Words for absence count only where there is no record. Throws UpstreamError
 * when the server has enough of us, or the text is neither.
 */
export function readAnswer(server: string, text: string, target: WhoisTarget): WhoisAnswer {
  const record = recordIn(server, text, target);
  const raw = cutRaw(text);
  if (record) return { kind: 'found', registration: { raw, ...record } };
  const refusal = refusalIn(text, askedText(target)) ?? poolOnly(text, target);
  if (refusal === 'absent') return { kind: 'absent', raw };
  if (refusal === 'rate-limited')
    throw new UpstreamError('rate-limited', `${server} has enough of our questions`);
  throw new UpstreamError('malformed', `${server} answers with no record`);
}

/** A registry's record with what its registrar adds: the registry's word stands where both have one. */
export function mergeThin(registry: Registration, registrar: Registration): Registration {
  const entries = Object.entries<string | readonly string[]>({ ...registry });
  const thin = entries.filter(([, value]) => value.length > 0);
  return {
    ...registrar,
    ...(Object.fromEntries(thin) as Partial<Registration>),
    raw: cutRaw(`${registry.raw}\n${registrar.raw}`),
  };
}

function recordIn(server: string, text: string, target: WhoisTarget): RecordFields | undefined {
  const fields = splitFields(text);
  const habits = habitsOf(server);
  if (target.kind === 'domain') return parseDomain(fields, target.name, habits);
  if (target.kind === 'asn') return parseNetwork(fields, target, habits);
  const range = parseAddressRange(askedText(target));
  return range && parseNetwork(fields, { kind: 'ip', range }, habits);
}

/** Registries answer with the pool that they give out of where nobody has been given what was asked for. */
function poolOnly(text: string, target: WhoisTarget): 'absent' | undefined {
  return target.kind !== 'domain' && namesPoolOnly(splitFields(text), target.kind) ? 'absent' : undefined;
}

function askedText(target: WhoisTarget): string {
  switch (target.kind) {
    case 'domain':
      return target.name;
    case 'asn':
      return `as${target.asn}`;
    case 'ip':
      return target.length === undefined ? target.ip : `${target.ip}/${target.length}`;
  }
}
