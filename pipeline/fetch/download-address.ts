import type { Download } from '../feeds/feed.js';
import { sha256Text } from '../release/digest.js';
import type { ReadVariable, Secrets } from './secrets.js';

/** Names of the environment variables without which a file cannot be had, in the order in which they stand. */
export function variablesOf({ url, sha256Url = '', basicAuth }: Download): string[] {
  const inUrls = [...`${url} ${sha256Url}`.matchAll(VARIABLE)].map(([, name]) => name!);
  return [...new Set([...(basicAuth ?? []), ...inUrls])];
}

/** The variables that are set, and the names of those that are not. */
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
 * The times that a URL is filled in with, the one to try first first: for slots the last 24 hours of them, for months
 * tonight's and the one before, else now alone.
 */
export function timesFor({ url, everyHours }: Download, now: Date): Date[] {
  if (everyHours !== undefined) return lastSlots(everyHours * HOUR_MS, now);
  if (!MONTH.test(url)) return [now];
  return [now, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))];
}

/** A URL with its time filled in and its variables left as they are. Told as `toldUrl`, kept as `keptUrl`. */
export function publicUrl(template: string, time: Date): string {
  const [, yyyy = '', mm = '', dd = '', hh = ''] =
    /^(\d+)-(\d\d)-(\d\d)T(\d\d)/.exec(time.toISOString()) ?? [];
  return template
    .replaceAll('{yyyy}', yyyy)
    .replaceAll('{mm}', mm)
    .replaceAll('{dd}', dd)
    .replaceAll('{hh}', hh);
}

/** The URL to ask for. Throws TypeError when the template is no URL, without repeating it. */
export function secretUrl(publicForm: string, secrets: Secrets): URL {
  const url = publicForm.replace(VARIABLE, (_, name: string) => encodeURIComponent(secrets.get(name) ?? ''));
  if (!URL.canParse(url)) throw new TypeError(`not a URL: ${toldUrl(publicForm)}`);
  return new URL(url);
}

/** A URL for messages: without user, query and fragment, which in a listed URL may be secrets without a variable. */
export function toldUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** A URL to compare with on another night: a short digest stands for what is not told. */
export function keptUrl(url: string): string {
  const told = toldUrl(url);
  return told === url ? url : `${told}?sha256=${sha256Text(url).slice(0, 8)}`;
}

/** The value of an Authorization header (RFC 7617), where a download wants one. */
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
