import { eppStatusOf } from '../epp-status.js';
import { cutRaw } from '../raw-text.js';
import type { Registration, WhoisTarget } from '../whois-record.js';
import { entityWithRole, nameOf, publicIdOf, registrantOf } from './entities.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';
import { utcDate } from './utc-date.js';

/** A received RDAP object. */
export interface ReceivedObject {
  /** Parsed JSON that has not been validated. */
  readonly object: unknown;
  /** The text it was parsed from. */
  readonly raw: string;
  /** Hosts of the server that replied and, before redirects, the one queried. */
  readonly hosts: readonly string[];
}

/** Reads an RDAP object into the fields of the API (RFC 9083; decision 27). Never throws, whatever the object is. */
export function registrationOf({ kind }: WhoisTarget, { object, raw, hosts }: ReceivedObject): Registration {
  const registrar = entityWithRole(object, 'registrar');
  return {
    raw: cutRaw(raw),
    registrar:
      kind === 'domain'
        ? nameOf(registrar, ['fn', 'org']) || publicIdOf(registrar)
        : rirNameOf([textOf(fieldOf(object, 'port43')), ...hosts]),
    ...eventDatesOf(object),
    nameservers: kind === 'domain' ? nameserversOf(object) : [],
    status: statusCodesOf(object),
    registrant: registrantOf(object),
    dnssec: kind === 'domain' ? dnssecOf(object) : '',
  };
}

/** Reads the dates of an object (RFC 9083 §4.5). `last update of RDAP database` is not a date of the object. */
function eventDatesOf(object: unknown): Pick<Registration, 'creation_date' | 'expiry_date' | 'updated_date'> {
  const events = listOf(fieldOf(object, 'events'));
  const dateOf = (action: string): string => {
    const event = events.find((one) => textOf(fieldOf(one, 'eventAction')).toLowerCase() === action);
    return utcDate(textOf(fieldOf(event, 'eventDate')));
  };
  return {
    creation_date: dateOf('registration'),
    expiry_date: dateOf('expiration') || dateOf('registrar expiration'),
    updated_date: dateOf('last changed'),
  };
}

function nameserversOf(object: unknown): readonly string[] {
  const names = listOf(fieldOf(object, 'nameservers')).map((server) =>
    textOf(fieldOf(server, 'ldhName')).toLowerCase().replace(/\.$/, ''),
  );
  return [...new Set(names.filter((name) => NAME.test(name)))].slice(0, MAX_NAMESERVERS);
}

const MAX_NAMESERVERS = 100;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** Reads DNSSEC (RFC 9083 §5.3) in the terms of ICANN's whois. */
function dnssecOf(object: unknown): string {
  const secure = fieldOf(object, 'secureDNS');
  const isSigned = fieldOf(secure, 'delegationSigned');
  if (isSigned === true || listOf(fieldOf(secure, 'dsData')).length > 0) return 'signedDelegation';
  return isSigned === false ? 'unsigned' : '';
}

/** Returns the status values of an object (RFC 9083 §10.2.2) as EPP codes (RFC 8056 §2), without duplicates. */
function statusCodesOf(object: unknown): readonly string[] {
  const codes = listOf(fieldOf(object, 'status')).map((value) => statusCode(textOf(value)));
  return [...new Set(codes.filter((code) => code !== ''))].slice(0, MAX_CODES);
}

/** Converts `client transfer prohibited` to `clientTransferProhibited`, also for values that EPP does not define. */
function statusCode(text: string): string {
  if (!WORDS.test(text)) return '';
  // Some servers write the EPP code itself.
  const [first = '', ...rest] = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _-]+/);
  const code = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return eppStatusOf(code);
}

const MAX_CODES = 50;
const WORDS = /^[A-Za-z]+(?:[ _-][A-Za-z]+){0,5}$/;

/** Returns the RIR that owns the first matching host, in capitals (decision 27), or `''`. */
function rirNameOf(hosts: readonly string[]): string {
  for (const host of hosts) {
    const found = RIRS.find(([, domain]) => isWithin(host.toLowerCase(), domain));
    if (found) return found[0];
  }
  return '';
}

const RIRS = [
  ['AFRINIC', 'afrinic.net'],
  ['APNIC', 'apnic.net'],
  ['ARIN', 'arin.net'],
  ['LACNIC', 'lacnic.net'],
  ['RIPE', 'ripe.net'],
] as const;

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
