import { COUNTERS } from '../routing-counters.js';
import { legend, stack } from '../../html/charts.js';
import { counterTables } from './counters.js';
import { html, NOTHING, type Markup } from '../../html/markup.js';
import type { Section } from '../../html/section.js';
import { countersOf, type CounterPair, type ReportSubject } from './subject.js';
import { percent } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

/** The counters of the routing table. */
export function routing(subject: ReportSubject): Section {
  return counted('routing', 'Routing', subject, rpki);
}

/** The counters of `isp.mmdb`. */
export function proxiesAndClouds(subject: ReportSubject): Section {
  return counted('isp', 'Proxies and clouds', subject);
}

/** The counters of `geo.mmdb`; absent without any. */
export function geolocation(subject: ReportSubject): Section | undefined {
  const isCounted = countersOf(subject.manifest, 'geo').size > 0;
  return isCounted ? counted('geo', 'Geolocation', subject) : undefined;
}

function counted(
  id: string,
  title: string,
  { manifest, last }: ReportSubject,
  picture: (counters: CounterPair['now']) => Markup = () => NOTHING,
): Section {
  const now = countersOf(manifest, id);
  const before = countersOf(last, id);
  const body =
    now.size === 0
      ? html`<p>No counters: the release has no such dataset, or is from before counters were kept.</p> `
      : html`${picture(now)}${counterTables({ now, before: before.size === 0 ? undefined : before })}`;
  return { id, title, body };
}

/** Prefixes by RPKI state. */
function rpki(counters: CounterPair['now']): Markup {
  const parts = [
    { name: 'valid', value: counters.get(COUNTERS.rpkiValid) ?? 0, colour: 0 },
    { name: 'unknown', value: counters.get(COUNTERS.rpkiUnknown) ?? 0, colour: 1 },
    { name: 'invalid', value: counters.get(COUNTERS.rpkiInvalid) ?? 0, colour: 2 },
  ];
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  if (whole === 0) return NOTHING;
  const entries = parts.map(({ name, value, colour }) => ({
    name: `${name} ${figureText(value)} (${percent(value, whole)})`,
    colour,
  }));
  return html`<figure>
    <figcaption>Announced prefixes by RPKI state of their origin</figcaption>
    ${stack(parts, entries.map(({ name }) => name).join(', '))} ${legend(entries)}
  </figure> `;
}
