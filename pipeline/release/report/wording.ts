import { pointsBetween } from '../accuracy.js';
import { grouped } from '../columns.js';
import { html, type Markup } from './markup.js';

/** Renders a figure for a table or a tile: as `figureText`, with the full number as its tooltip if it is shortened. */
export function figure(value: number): Markup {
  const [short, full] = [figureText(value), fullNumber(value)];
  return short === full ? html`${short}` : html`<span title="${full}">${short}</span>`;
}

/** Formats a figure: below a million in full, from there with three digits and a unit, such as `12.3 M`. */
export function figureText(value: number): string {
  if (Math.abs(value) < SHORT_FROM) return fullNumber(value);
  const inUnit = (unit: number): number => Number((value / unit).toPrecision(3));
  const [unit, name] = UNITS.find(([unit]) => Math.abs(inUnit(unit)) < 1000) ?? UNITS.at(-1)!;
  return `${inUnit(unit)} ${name}`;
}

/** Formats a number in full: `12,345,678`, at most two decimals. */
function fullNumber(value: number): string {
  return Number.isInteger(value)
    ? grouped(value)
    : value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

const SHORT_FROM = 1e6;

/** Units of large figures. IPv6 global unicast has 2.31 quintillion /64s. */
const UNITS = [
  [1e6, 'M'],
  [1e9, 'billion'],
  [1e12, 'trillion'],
  [1e15, 'quadrillion'],
  [1e18, 'quintillion'],
] as const;

/** Formats a share: `12.3 %`; `''` when the whole is 0. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '';
  const share = (part / whole) * 100;
  return share > 0 && share < 0.1 ? 'under 0.1 %' : `${Number(share.toFixed(1))} %`;
}

/** Renders the change of a figure since the last release: `+12 (3.4 %)`, `new`, `removed`, `same`. */
export function change(now: number | undefined, before: number | undefined): Markup {
  if (now === undefined) return html`<span class="loss">removed</span>`;
  if (before === undefined) return html`<span class="gain">new</span>`;
  if (now === before) return html`<span class="same">same</span>`;
  const difference = Math.abs(now - before);
  const share = before === 0 ? '' : ` (${percent(difference, before)})`;
  return now < before
    ? html`<span class="loss">−${figure(difference)}${share}</span>`
    : html`<span class="gain">+${figure(difference)}${share}</span>`;
}

/** Renders the change of a share (0..1) in percentage points: `+0.3 points`, `new`, `removed`, `same`. */
export function changeOfShare(now: number | undefined, before: number | undefined): Markup {
  const points = now === undefined || before === undefined ? undefined : pointsBetween(before, now);
  if (points === undefined || points === 0) return change(now, points === 0 ? now : before);
  const text = `${Math.abs(points).toFixed(1)} points`;
  return points < 0 ? html`<span class="loss">−${text}</span>` : html`<span class="gain">+${text}</span>`;
}

/** Formats seconds since 1970: `2026-11-17 00:00 UTC`. */
export function moment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats seconds since 1970 as a day: `2026-11-17`. */
export function day(seconds: number): string {
  return moment(seconds).slice(0, 10);
}

/** Formats the age of a file at build time: `3 days`; absent for a date after the build. */
export function age(modified: string, buildEpoch: number): string | undefined {
  const days = Math.floor((buildEpoch - Date.parse(modified) / 1000) / 86_400);
  if (days < 0) return undefined;
  return days === 0 ? 'under a day' : `${figureText(days)} ${days === 1 ? 'day' : 'days'}`;
}

/** Renders a size for a table: as `sizeText`, with the bytes as its tooltip. */
export function size(bytes: number): Markup {
  return html`<span title="${fullNumber(bytes)} bytes">${sizeText(bytes)}</span>`;
}

/** Formats a size in powers of ten: `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number(value.toFixed(value < 10 && unit > 0 ? 1 : 0))} ${units[unit]!}`;
}

/** Formats a count with its noun: `1 file`, `3 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figureText(count)} ${count === 1 ? one : many}`;
}

/** Joins parts for a sentence: `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
