import { z } from 'zod';
import { IPV4_DEPTH } from '../../net/address.js';
import { formatPrefix, parsePrefix } from '../../net/prefix.js';

const id = z.int().positive();
const asn = z.int().min(1).max(0xffff_ffff);
/** An optional text: PeeringDB uses both empty strings and null. */
const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '');
const name = z.string().trim().min(1);
const prefix = z.string().transform((written, context) => {
  const parsed = parsePrefix(written);
  if (parsed && parsed.length >= SHORTEST[parsed.family]) {
    return formatPrefix(parsed.address, parsed.length, parsed.family);
  }
  context.addIssue('invalid prefix of a LAN: expected at least /16 (IPv4) or /32 (IPv6)');
  return z.NEVER;
});
/** The shortest accepted prefixes of LANs. A shorter one is an error that would cover other networks. */
const SHORTEST = { 4: IPV4_DEPTH + 16, 6: 32 } as const;

/**
 * The fields that are read from PeeringDB's objects (https://www.peeringdb.com/apidocs/). Other keys are dropped.
 * Contact persons (`poc`) are never read.
 */
const SCHEMAS = {
  net: z.object({ id, asn, name, aka: text, info_type: text, website: text }),
  fac: z.object({ id, name, city: text, country: text }),
  ix: z.object({ id, name, name_long: text, city: text, country: text }),
  ixlan: z.object({ id, ix_id: id, rs_asn: z.int().min(0).max(0xffff_ffff).nullish() }),
  ixpfx: z.object({ id, ixlan_id: id, prefix }),
  /** Speed in Mbit/s. */
  netixlan: z.object({
    id,
    net_id: id,
    ix_id: id,
    asn,
    speed: z.int().nonnegative(),
    operational: z.boolean(),
  }),
} as const;

/** The kinds of objects that are read. Others (`org`, `poc`, `netfac`, `carrier`, …) are not needed. */
export type ObjectKind = keyof typeof SCHEMAS;
/** All kinds of objects that are read. */
export const OBJECT_KINDS = Object.keys(SCHEMAS) as readonly ObjectKind[];

/** An object as published, reduced to the fields that are read. */
export type PeeringObject<Kind extends ObjectKind> = z.infer<(typeof SCHEMAS)[Kind]>;

const statusSchema = z.object({ status: z.string() });

/** The result of reading an object: the object, or why it is not used. */
export type ObjectRead<Kind extends ObjectKind> =
  | { readonly object: PeeringObject<Kind> }
  /** Its status is other than `ok`: not yet approved, or deleted. */
  | { readonly isSkipped: true }
  /** It is not a valid object; the excerpt has only keys that are read. */
  | { readonly excerpt: string };

/** Reads an object as published. */
export function readObject<Kind extends ObjectKind>(kind: Kind, value: unknown): ObjectRead<Kind> {
  const status = statusSchema.safeParse(value);
  const read = SCHEMAS[kind].safeParse(value);
  if (status.data && status.data.status !== 'ok') return { isSkipped: true };
  if (!status.data || !read.data) return { excerpt: excerptOf(kind, value) };
  return { object: read.data as PeeringObject<Kind> };
}

/** Returns the object with only the keys that are read: others may contain e-mail addresses and telephone numbers. */
function excerptOf(kind: ObjectKind, value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = [...Object.keys(SCHEMAS[kind].shape), 'status'];
  return JSON.stringify(value, Array.isArray(value) ? [] : keys);
}
