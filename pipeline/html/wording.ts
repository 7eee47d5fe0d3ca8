import { ageText, figureText, fullNumber, pointsBetween, sizeText } from '../text/figure-text.js';
import { html, type Markup } from './markup.js';

/** Renders a figure for a table or a tile: as `figureText`, with the full number as its tooltip if it is shortened. */
export function figure(value: number): Markup {
  const [short, full] = [figureText(value), fullNumber(value)];
  return short === full ? html`${short}` : html`<span title="${full}">${short}</span>`;
}

/** Formats a share: `12.3 %`; `''` when the whole is 0. `under` is the word before the least share that is shown. */
export function percent(part: number, whole: number, under = 'under'): string {
  if (whole === 0) return '';
  const share = (part / whole) * 100;
  return share > 0 && share < 0.1 ? `${under} 0.1 %` : `${Number(share.toFixed(1))} %`;
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
export function ageAt(modified: string, buildEpoch: number): string | undefined {
  const seconds = buildEpoch - Date.parse(modified) / 1000;
  return seconds < 0 ? undefined : ageText(seconds);
}

/** Renders a size for a table: as `sizeText`, with the bytes as its tooltip. `unit` is the word for bytes. */
export function size(bytes: number, unit = 'bytes'): Markup {
  return html`<span title="${fullNumber(bytes)} ${unit}">${sizeText(bytes)}</span>`;
}

/** Formats a count with its noun: `1 file`, `3 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figureText(count)} ${count === 1 ? one : many}`;
}

/** Joins parts for a sentence: `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
