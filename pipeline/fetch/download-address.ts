import type { Download } from '../input/published-source.js';
import { sha256Text } from '../release/digest.js';
import type { ReadVariable, Secrets } from './secrets.js';

/** Returns the names of the environment variables that a download needs, in order. */
export function variablesOf({ url, sha256Url = '', basicAuth }: Download): string[] {
  const inUrls = [...`${url} ${sha256Url}`.matchAll(VARIABLE)].map(([, name]) => name!);
  return [...new Set([...(basicAuth ?? []), ...inUrls])];
}

/** Reads a download's variables. Returns the values, and the names of unset variables. */
export function readSecrets(download: Download, read: ReadVariable): { secrets: Secrets; missing: string[] } {
  const secrets = new Map<string, string>();
  const missing: string[] = [];
  for (const name of variablesOf(download)) {
    const value = read(name)?.trim() ?? '';
    if (value === '') missing.push(name);
    else secrets.set(name, value);
  }
  return { secrets, missing };
}

/**
 * Returns the times to fill into a URL, in the order to try: the slots of the last 24 hours, this month and the last
 * one, or only now.
 */
export function timesFor({ url, everyHours }: Download, now: Date): Date[] {
  if (everyHours !== undefined) return lastSlots(everyHours * HOUR_MS, now);
  if (!MONTH.test(url)) return [now];
  return [now, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))];
}

/** Fills the time into a URL and leaves the variables. Messages show `toldUrl`, the state keeps `keptUrl`. */
export function publicUrl(template: string, time: Date): string {
  const [, yyyy = '', mm = '', dd = '', hh = ''] =
    /^(\d+)-(\d\d)-(\d\d)T(\d\d)/.exec(time.toISOString()) ?? [];
  return template
    .replaceAll('{yyyy}', yyyy)
    .replaceAll('{mm}', mm)
    .replaceAll('{dd}', dd)
    .replaceAll('{hh}', hh);
}

/** Fills the secrets into a URL. Throws TypeError, without the secrets, when the result is not a URL. */
export function secretUrl(publicForm: string, secrets: Secrets): URL {
  const url = publicForm.replace(VARIABLE, (_, name: string) => encodeURIComponent(secrets.get(name) ?? ''));
  if (!URL.canParse(url)) throw new TypeError(`not a URL: ${toldUrl(publicForm)}`);
  return new URL(url);
}

/** Returns a URL for messages: without user, query and fragment, which may contain secrets. */
export function toldUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** Returns a URL to compare with on another night: a short digest replaces the parts that may be secret. */
export function keptUrl(url: string): string {
  const publicPart = toldUrl(url);
  return publicPart === url ? url : `${publicPart}?sha256=${sha256Text(url).slice(0, 8)}`;
}

/** Returns the value of the Authorization header (RFC 7617); absent when the download needs none. */
export function authorization({ basicAuth }: Download, secrets: Secrets): string | undefined {
  if (!basicAuth) return undefined;
  const [user, password] = basicAuth.map((name) => secrets.get(name) ?? '');
  return `Basic ${Buffer.from(`${user!}:${password!}`).toString('base64')}`;
}

const VARIABLE = /\{([A-Z][A-Z0-9_]*)\}/g;
/** Slots count from midnight; a day is a whole number of them. */
function lastSlots(stepMs: number, now: Date): Date[] {
  const last = now.getTime() - (now.getTime() % stepMs);
  const slots: Date[] = [];
  for (let slot = last; slot >= now.getTime() - DAY_MS; slot -= stepMs) slots.push(new Date(slot));
  return slots;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH = /\{(yyyy|mm)\}/;
