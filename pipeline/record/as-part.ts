import type { AnnouncerRecord } from './records.js';

/** The fields of an IP record about the AS that announces the address. Unknown texts are empty. */
export interface AsPart {
  readonly asn: number | null;
  readonly org: string;
  readonly as_domain: string;
}

/** Returns these fields of a record of `asn.mmdb`; without a record those of an unknown AS. */
export function asPart(record: AnnouncerRecord | undefined): AsPart {
  return {
    asn: record?.autonomous_system_number ?? null,
    org: record?.autonomous_system_organization ?? '',
    as_domain: record?.as_domain ?? '',
  };
}
