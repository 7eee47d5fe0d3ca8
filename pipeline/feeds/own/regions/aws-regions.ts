import { at, NO_PLACE, type RegionPlaces } from './region-place.js';

/**
 * The regions of AWS by their names, such as `US East (N. Virginia)`
 * (https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html). A name that is only a country or
 * a state gives no city.
 */
const REGIONS: RegionPlaces = {
  'af-south-1': at('ZA', 'Cape Town'),
  'ap-east-1': at('HK'),
  'ap-east-2': at('TW', 'Taipei'),
  'ap-northeast-1': at('JP', 'Tokyo'),
  'ap-northeast-2': at('KR', 'Seoul'),
  'ap-northeast-3': at('JP', 'Osaka'),
  'ap-south-1': at('IN', 'Mumbai'),
  'ap-south-2': at('IN', 'Hyderabad'),
  'ap-southeast-1': at('SG'),
  'ap-southeast-2': at('AU', 'Sydney'),
  'ap-southeast-3': at('ID', 'Jakarta'),
  'ap-southeast-4': at('AU', 'Melbourne'),
  'ap-southeast-5': at('MY'),
  'ap-southeast-6': at('NZ'),
  'ap-southeast-7': at('TH'),
  'ca-central-1': at('CA'),
  'ca-west-1': at('CA-AB', 'Calgary'),
  'cn-north-1': at('CN', 'Beijing'),
  'cn-northwest-1': at('CN-NX'),
  'eu-central-1': at('DE', 'Frankfurt'),
  'eu-central-2': at('CH', 'Zurich'),
  'eu-north-1': at('SE', 'Stockholm'),
  'eu-south-1': at('IT', 'Milan'),
  'eu-south-2': at('ES'),
  'eu-west-1': at('IE'),
  'eu-west-2': at('GB', 'London'),
  'eu-west-3': at('FR', 'Paris'),
  'eusc-de-east-1': at('DE'),
  'il-central-1': at('IL', 'Tel Aviv'),
  'me-central-1': at('AE'),
  'me-south-1': at('BH'),
  'mx-central-1': at('MX'),
  'sa-east-1': at('BR', 'São Paulo'),
  'us-east-1': at('US-VA'),
  'us-east-2': at('US-OH'),
  'us-gov-east-1': at('US'),
  'us-gov-west-1': at('US'),
  'us-west-1': at('US-CA'),
  'us-west-2': at('US-OR'),
  // In the ranges before AWS names their places.
  'me-west-1': NO_PLACE,
  'sa-west-1': NO_PLACE,
  'us-south-1': NO_PLACE,
};

/**
 * The cities of Local Zones by the location in the name, such as `lax` in `us-west-2-lax-1`
 * (https://docs.aws.amazon.com/local-zones/latest/ug/available-local-zones.html). Where a metropolitan area is in two
 * states, the city gives no state.
 */
const LOCAL_ZONES: RegionPlaces = {
  akl: at('NZ', 'Auckland'),
  ath: at('GR', 'Athens'),
  atl: at('US-GA', 'Atlanta'),
  bkk: at('TH', 'Bangkok'),
  bos: at('US-MA', 'Boston'),
  bue: at('AR', 'Buenos Aires'),
  ccu: at('IN', 'Kolkata'),
  chi: at('US-IL', 'Chicago'),
  cph: at('DK', 'Copenhagen'),
  del: at('IN', 'Delhi'),
  den: at('US-CO', 'Denver'),
  dfw: at('US-TX', 'Dallas'),
  ham: at('DE', 'Hamburg'),
  han: at('VN', 'Hanoi'),
  hel: at('FI', 'Helsinki'),
  hnl: at('US-HI', 'Honolulu'),
  iah: at('US-TX', 'Houston'),
  ist: at('TR', 'Istanbul'),
  las: at('US-NV', 'Las Vegas'),
  lax: at('US-CA', 'Los Angeles'),
  lim: at('PE', 'Lima'),
  los: at('NG', 'Lagos'),
  mci: at('US', 'Kansas City'),
  mct: at('OM', 'Muscat'),
  mia: at('US-FL', 'Miami'),
  mnl: at('PH', 'Manila'),
  msp: at('US-MN', 'Minneapolis'),
  nyc: at('US', 'New York City'),
  pdx: at('US-OR', 'Portland'),
  per: at('AU', 'Perth'),
  phl: at('US', 'Philadelphia'),
  phx: at('US-AZ', 'Phoenix'),
  qro: at('MX', 'Querétaro'),
  scl: at('CL', 'Santiago'),
  sea: at('US-WA', 'Seattle'),
  tpe: at('TW', 'Taipei'),
  waw: at('PL', 'Warsaw'),
  // A zone in the ranges that AWS does not list.
  jan: NO_PLACE,
};

/**
 * The cities of Wavelength Zones by the location in the name, such as `bos` in `us-east-1-wl1-bos-wlz-1`
 * (https://docs.aws.amazon.com/wavelength/latest/developerguide/available-wavelength-zones.html and
 * https://aws.amazon.com/wavelength/locations/).
 */
const WAVELENGTH_ZONES: RegionPlaces = {
  atl: at('US-GA', 'Atlanta'),
  ber: at('DE', 'Berlin'),
  bna: at('US-TN', 'Nashville'),
  bos: at('US-MA', 'Boston'),
  chi: at('US-IL', 'Chicago'),
  cjj: at('KR', 'Daejeon'),
  clt: at('US-NC', 'Charlotte'),
  den: at('US-CO', 'Denver'),
  dfw: at('US-TX', 'Dallas'),
  dtm: at('DE', 'Dortmund'),
  dtw: at('US-MI', 'Detroit'),
  iah: at('US-TX', 'Houston'),
  kix: at('JP', 'Osaka'),
  las: at('US-NV', 'Las Vegas'),
  lax: at('US-CA', 'Los Angeles'),
  lon: at('GB', 'London'),
  man: at('GB', 'Manchester'),
  mia: at('US-FL', 'Miami'),
  msp: at('US-MN', 'Minneapolis'),
  muc: at('DE', 'Munich'),
  nrt: at('JP', 'Tokyo'),
  nyc: at('US', 'New York City'),
  phx: at('US-AZ', 'Phoenix'),
  sea: at('US-WA', 'Seattle'),
  sel: at('KR', 'Seoul'),
  // San Francisco Bay Area.
  sfo: at('US-CA'),
  tpa: at('US-FL', 'Tampa'),
  was: at('US', 'Washington'),
  yto: at('CA-ON', 'Toronto'),
  // A zone in the ranges that AWS does not list.
  foe: NO_PLACE,
};

/** `us-west-2-lax-1`, also `us-west-2-las-1b`. */
const LOCAL_ZONE = /^([a-z]+-[a-z]+-\d)-([a-z]{3})-\d[a-z]?$/;
/** `us-east-1-wl1-bos-wlz-1`, newer `us-east-1-foe-wlz-1`. */
const WAVELENGTH_ZONE = /^([a-z]+-[a-z]+-\d)-(?:wl\d-)?([a-z]{3})-wlz-\d$/;
/** The Dedicated Local Zones of Singapore's government, which AWS does not list. */
const DEDICATED_ZONE = /^ap-southeast-1-sggov-/;

/**
 * Returns the place of a network border group: a region, or a zone of one. Returns NO_PLACE for `GLOBAL` and zones without
 * a published place, undefined for an unknown name.
 */
export function placeOfBorderGroup(name: string): RegionPlaces[string] | undefined {
  if (name === 'GLOBAL' || DEDICATED_ZONE.test(name)) return NO_PLACE;
  const [, wavelengthRegion, wavelength] = WAVELENGTH_ZONE.exec(name) ?? [];
  if (wavelengthRegion !== undefined && wavelength !== undefined) {
    return isKnown(wavelengthRegion) ? WAVELENGTH_ZONES[wavelength] : undefined;
  }
  const [, localRegion, local] = LOCAL_ZONE.exec(name) ?? [];
  if (localRegion !== undefined && local !== undefined) {
    return isKnown(localRegion) ? LOCAL_ZONES[local] : undefined;
  }
  return isKnown(name) ? REGIONS[name] : undefined;
}

function isKnown(region: string): boolean {
  return Object.hasOwn(REGIONS, region);
}
