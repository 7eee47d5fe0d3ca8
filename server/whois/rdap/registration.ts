import type { Registration, WhoisTarget } from '../whois-record.js';
import { cutRaw } from '../raw-text.js';
import { entityWithRole, nameOf, publicIdOf } from './entities.js';
import { eventDatesOf } from './event-dates.js';
import { registrantOf } from './registrant.js';
import { registryNameOf } from './registry-name.js';
import { codesOfStatusValues } from './status-values.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** An RDAP object as it was received. */
export interface ReceivedObject {
  /** Parsed JSON, of which nothing is known. */
  readonly object: unknown;
  /** Its text. */
  readonly raw: string;
  /** The server asked, and the one that answered where we were sent on, the last one first. */
  readonly hosts: readonly string[];
}

/** What an RDAP object says, in the fields of the API (RFC 9083; ruling 27). Whatever it is, nothing is thrown. */
export function registrationOf({ kind }: WhoisTarget, { object, raw, hosts }: ReceivedObject): Registration {
  const registrar = entityWithRole(object, 'registrar');
  return {
    raw: cutRaw(raw),
    registrar:
      kind === 'domain'
        ? nameOf(registrar, ['fn', 'org']) || publicIdOf(registrar)
        : registryNameOf([textOf(fieldOf(object, 'port43')), ...hosts]),
    ...eventDatesOf(object),
    nameservers: kind === 'domain' ? nameserversOf(object) : [],
    status: codesOfStatusValues(object),
    registrant: registrantOf(object),
    dnssec: kind === 'domain' ? dnssecOf(object) : '',
  };
}

/**
 * A registry's words completed by the registrar's: what the registry says stays, as it alone decides on dates, status
 * and delegation; `raw` is the registry's.
 */
export function completedBy(registry: Registration, registrar: Registration): Registration {
  const list = (one: readonly string[], other: readonly string[]) => (one.length > 0 ? one : other);
  return {
    raw: registry.raw,
    registrar: registry.registrar || registrar.registrar,
    creation_date: registry.creation_date || registrar.creation_date,
    expiry_date: registry.expiry_date || registrar.expiry_date,
    updated_date: registry.updated_date || registrar.updated_date,
    nameservers: list(registry.nameservers, registrar.nameservers),
    status: list(registry.status, registrar.status),
    registrant: registry.registrant || registrar.registrant,
    dnssec: registry.dnssec || registrar.dnssec,
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

/** RFC 9083 §5.3, in the words of ICANN's whois. */
function dnssecOf(object: unknown): string {
  const secure = fieldOf(object, 'secureDNS');
  const isSigned = fieldOf(secure, 'delegationSigned');
  if (isSigned === true || listOf(fieldOf(secure, 'dsData')).length > 0) return 'signedDelegation';
  return isSigned === false ? 'unsigned' : '';
}
