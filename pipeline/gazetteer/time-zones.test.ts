import t from 'tap';
import { countryCodes } from '../input/names/iso3166.js';
import { hasSeveralTimeZones, timeZoneOfCountry } from './time-zones.js';

/** Reads the zones of a country in the runtime's own data, which has older names for some (Asia/Calcutta). */
function zonesInRuntime(region: string): string[] {
  const locale = new Intl.Locale('und', { region }) as Intl.Locale & { readonly timeZones?: string[] };
  return (locale.timeZones ?? []).map(canonical);
}

function canonical(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}

/** The second zones of the countries that count as one, with the first. */
const EQUAL_SINCE_2000: Readonly<Record<string, string>> = {
  DE: 'Europe/Busingen',
  MH: 'Pacific/Kwajalein',
  MY: 'Asia/Kuching',
  UZ: 'Asia/Samarkand',
};

t.test('every country has one time zone, several, or is not in the tz database', (t) => {
  const unlisted: string[] = [];
  for (const country of countryCodes()) {
    const zone = timeZoneOfCountry(country);
    const isOne = zone !== undefined;
    t.notOk(isOne && hasSeveralTimeZones(country), country);
    if (isOne) t.ok(zonesInRuntime(country).includes(canonical(zone)), `${country} ${zone}`);
    else if (hasSeveralTimeZones(country)) t.ok(zonesInRuntime(country).length > 1, country);
    else unlisted.push(country);
  }
  t.same(unlisted.sort(), ['BV', 'HM', 'XK']);
  t.equal(timeZoneOfCountry('FR'), 'Europe/Paris');
  t.equal(timeZoneOfCountry('US'), undefined);
  t.equal(timeZoneOfCountry('CN'), undefined, 'Urumqi has a time of its own');
  t.end();
});

t.test('a country with a second zone counts as one if their clocks have agreed since 2000', (t) => {
  for (const [country, second] of Object.entries(EQUAL_SINCE_2000)) {
    const clocks = [timeZoneOfCountry(country)!, second].map(
      (timeZone) => new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'long' }),
    );
    for (let day = Date.UTC(2000, 0, 1, 12); day < Date.UTC(2030, 0, 1); day += 7 * 86_400_000) {
      const [one, other] = clocks.map((clock) => clock.format(day).replace(/ [^ ]*$/, ''));
      if (one !== other) t.fail(`${country}: ${one!} and ${other!}`);
    }
    t.ok(zonesInRuntime(country).includes(canonical(second)), country);
  }
  t.end();
});
