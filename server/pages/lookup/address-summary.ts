import { bar } from '../../../pipeline/html/charts.js';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import { usageLabel } from '../../../pipeline/record/isp-part.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { IpRecord } from '../../lookup/ip-record-schema.js';
import type { PlaceRecord } from '../../release/records.js';
import type { Assets } from '../assets.js';
import { facts, type Fact } from '../facts.js';
import { placeMap, type PlacedVerdict, type Point } from '../place-map.js';
import { isDifferent, type ComparedVerdict } from './agreement.js';
import { asLink } from './links.js';
import { placeName } from './place-name.js';
import { LOOKUP_WORDS, type LookupWords } from './words.js';

/** What a page shows about an address. */
export interface AddressFindings {
  readonly record: IpRecord;
  readonly verdicts: readonly ComparedVerdict[];
  /** Names of all databases of the release. */
  readonly databases: readonly string[];
  /** The record of `geo.mmdb`, for its confidence. */
  readonly place: PlaceRecord | undefined;
  readonly language: Language;
}

/** The heading of an address. */
export interface AddressHeading {
  readonly heading: string;
  /** Whether the page has another main heading. */
  readonly isPart?: true;
}

/** Renders the answer about an address: its place on the map, its operator, proxies, and the confidence. */
export function addressSummary(
  assets: Assets,
  findings: AddressFindings,
  { heading, isPart }: AddressHeading,
): Markup {
  const { record, language } = findings;
  const words = LOOKUP_WORDS[language];
  const place = placeName([record.city, record.region, record.country], language) || words.unknownPlace;
  return html`<section aria-labelledby="address">
    <p class="kicker">${heading}</p>
    ${
      isPart === true
        ? html`<h2 class="address" id="address">${record.ip}</h2>`
        : html`<h1 class="address" id="address">${record.ip}</h1>`
    }
    <p class="lead">${record.is_reserved ? words.reserved : place}</p>
    ${!record.is_reserved && html`<p>${marks(record, words)}</p>`}
    ${!record.is_reserved && details(assets, findings, place)}
  </section> `;
}

function details(assets: Assets, findings: AddressFindings, place: string): Markup {
  const { record, verdicts, language } = findings;
  const words = LOOKUP_WORDS[language];
  const pin = pointOf(record.latitude, record.longitude);
  const placed = verdicts.flatMap((verdict): PlacedVerdict[] => {
    const point = pointOf(verdict.lat, verdict.lng);
    return point ? [{ ...point, name: verdict.source, differs: isDifferent(verdict) }] : [];
  });
  return html`<div class="answer">
      ${placeMap(assets, {
        label: words.map(place),
        verdicts: placed,
        legend: words.legend,
        ...(pin !== undefined && { pin }),
        ...(record.country_code !== '' && { country: record.country_code }),
      })}
      ${confidence(findings, words)}
    </div>
    <div class="columns">
      <div>
        <h2>${words.where}</h2>
        ${facts(placeFacts(findings))}
      </div>
      <div>
        <h2>${words.who}</h2>
        ${facts(operatorFacts(record, language))}
      </div>
    </div>`;
}

function marks(record: IpRecord, { marks: words }: LookupWords): Markup[] {
  const mark = (text: string, kind = ''): Markup => html`<span class="mark ${kind}">${text}</span> `;
  const shown = [
    record.is_proxy
      ? mark(
          `${words.proxy}: ${[record.proxy_type, record.provider].filter((one) => one !== '').join(', ')}`,
          'bad',
        )
      : mark(words.clean, 'good'),
  ];
  if (record.threat !== '') shown.push(mark(`${words.threat}: ${record.threat}`, 'bad'));
  if (record.is_cloud_idc) shown.push(mark(words.hosting));
  if (record.is_anycast === true) shown.push(mark(words.anycast));
  return shown;
}

function placeFacts({ record, place, language }: AddressFindings): Fact[] {
  const { facts: words } = LOOKUP_WORDS[language];
  const { city, region, country, continent, latitude, longitude } = record;
  const radius = place?.location?.accuracy_radius;
  return [
    [words.place, placeName([city, region, country], language)],
    [words.continent, continent],
    [words.coordinates, latitude !== null && longitude !== null && `${latitude}, ${longitude}`],
    [words.radius, radius !== undefined && `±${radius} km`],
    [words.timezone, record.timezone],
  ];
}

function operatorFacts(record: IpRecord, language: Language): Fact[] {
  const { facts: words } = LOOKUP_WORDS[language];
  return [
    [words.isp, record.isp],
    [words.organisation, record.org],
    [words.as, record.asn !== null && asLink(record.asn, record.bgp.as_name ?? record.org, language)],
    [words.usage, record.usage_type !== '' && usageLabel(record.usage_type, language)],
    [words.cloud, record.cloud_provider],
    [words.proxy, [record.proxy_domain, record.proxy_isp].filter((name) => name !== '').join(', ')],
    [words.lastSeen, record.is_proxy && record.last_seen],
    [words.fraudScore, record.fraud_score],
  ];
}

/** Draws the probability of each level; nothing in releases without it. */
function confidence({ place }: AddressFindings, words: LookupWords): Markup | undefined {
  const levels = [
    ['country', place?.country?.confidence],
    ['region', place?.subdivisions?.[0]?.confidence],
    ['city', place?.city?.confidence],
  ] as const;
  const known = levels.flatMap(([level, percent]): Fact[] =>
    percent === undefined ? [] : [[words.levels[level], html`${percent} % ${bar(percent, 100)}`]],
  );
  if (known.length === 0) return undefined;
  return html`<div>
    <h2>${words.sure}</h2>
    ${facts(known)}
    <p><small>${words.sureNote}</small></p>
  </div>`;
}

function pointOf(latitude: number | null, longitude: number | null): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
}
