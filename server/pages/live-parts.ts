import { html, type Markup } from '../../pipeline/html/markup.js';

/** A part of a page that depends on other servers. */
export interface LivePart {
  /** Its place on the page: plain letters. */
  readonly place: string;
  /** Shown in its place until it arrives. */
  readonly waiting: string;
  readonly markup: Promise<Markup>;
}

/**
 * Yields places for all parts, then each part when it arrives. The browser shows a part in its place without a script:
 * the places are slots of a declarative shadow root. A browser without these shows the parts in the order of arrival.
 * A part that fails ends the iteration with its error; without a consumer the error is ignored.
 */
export function liveParts(parts: readonly LivePart[]): AsyncIterable<Markup> {
  const pending = new Map(
    parts.map(({ place, markup }) => [place, markup.then((arrived) => ({ place, arrived }))]),
  );
  for (const part of pending.values()) part.catch(() => undefined);
  return asTheyArrive(placesOf(parts), pending);
}

function placesOf(parts: readonly LivePart[]): Markup {
  const slots = parts.map(({ place, waiting }) => html`<slot name="${place}"><p>${waiting}</p></slot>`);
  return html`<template shadowrootmode="open">${slots}</template>`;
}

/** Where the parts go. */
const PARTS = html`<!-- parts -->`;

async function* asTheyArrive(
  places: Markup,
  pending: Map<string, Promise<{ readonly place: string; readonly arrived: Markup }>>,
): AsyncGenerator<Markup> {
  if (pending.size === 0) return;
  const [begin, end] = html`<div>${places} ${PARTS}</div>`.splitAt(PARTS.text);
  yield begin;
  while (pending.size > 0) {
    const { place, arrived } = await Promise.race(pending.values());
    pending.delete(place);
    yield html`<div slot="${place}">${arrived}</div>`;
  }
  yield end;
}
