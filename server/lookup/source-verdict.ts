import type { VerdictRecord } from '../release/records.js';
import type { CountryNames, Language } from '../../pipeline/record/language.js';
import type { SourceVerdict } from './ip-record-schema.js';

/** How to display names. */
interface Display {
  readonly language: Language;
  readonly countries: CountryNames;
}

/** Returns a database's verdict for display. Returns an empty list when the verdict has nothing to display. */
export function sourceVerdict(source: string, verdict: VerdictRecord, display: Display): SourceVerdict[] {
  const { language, countries } = display;
  const { country, region_name, region_zh, city, city_zh, isp, latitude, longitude } = verdict;
  const region = inLanguage(language, region_name, region_zh);
  const cityName = inLanguage(language, city, city_zh);
  const shown = [country, region, cityName, isp, latitude, longitude];
  if (shown.every((value) => value === undefined)) return [];
  return [
    {
      source,
      country: country === undefined ? '' : countries.nameOf(country, language),
      region: region ?? '',
      city: cityName ?? '',
      isp: isp ?? '',
      lat: latitude ?? null,
      lng: longitude ?? null,
    },
  ];
}

function inLanguage(language: Language, en: string | undefined, zh: string | undefined): string | undefined {
  return language === 'zh' ? (zh ?? en) : (en ?? zh);
}
