import { at, NO_PLACE, type RegionPlaces } from './region-place.js';

/**
 * The regions of Oracle Cloud by their names and locations, such as `US West (Phoenix)`
 * (https://docs.oracle.com/en-us/iaas/Content/General/Concepts/regions.htm).
 */
export const ORACLE_REGIONS: RegionPlaces = {
  'af-johannesburg-1': at('ZA', 'Johannesburg'),
  'ap-batam-1': at('ID-KR', 'Batam', [1.13, 104.05]),
  'ap-chuncheon-1': at('KR', 'Chuncheon'),
  'ap-hyderabad-1': at('IN', 'Hyderabad'),
  'ap-melbourne-1': at('AU', 'Melbourne'),
  'ap-mumbai-1': at('IN', 'Mumbai'),
  'ap-osaka-1': at('JP', 'Osaka'),
  'ap-seoul-1': at('KR', 'Seoul'),
  'ap-singapore-1': at('SG'),
  'ap-singapore-2': at('SG'),
  'ap-sydney-1': at('AU', 'Sydney'),
  'ap-tokyo-1': at('JP', 'Tokyo'),
  'ca-montreal-1': at('CA-QC', 'Montréal'),
  'ca-toronto-1': at('CA-ON', 'Toronto'),
  'eu-amsterdam-1': at('NL', 'Amsterdam'),
  'eu-frankfurt-1': at('DE', 'Frankfurt'),
  // Called Serbia Central (Jovanovac), a suburb of Kragujevac.
  'eu-jovanovac-1': at('RS', 'Kragujevac'),
  'eu-madrid-1': at('ES', 'Madrid'),
  'eu-marseille-1': at('FR', 'Marseille'),
  'eu-milan-1': at('IT', 'Milan'),
  'eu-paris-1': at('FR', 'Paris'),
  'eu-stockholm-1': at('SE', 'Stockholm'),
  'eu-zurich-1': at('CH', 'Zurich'),
  'il-jerusalem-1': at('IL', 'Jerusalem'),
  'me-abudhabi-1': at('AE', 'Abu Dhabi'),
  'me-dubai-1': at('AE', 'Dubai'),
  'me-jeddah-1': at('SA', 'Jeddah'),
  'me-riyadh-1': at('SA', 'Riyadh'),
  'mx-monterrey-1': at('MX', 'Monterrey'),
  'mx-queretaro-1': at('MX', 'Querétaro'),
  'sa-bogota-1': at('CO', 'Bogotá'),
  'sa-santiago-1': at('CL', 'Santiago'),
  'sa-saopaulo-1': at('BR', 'São Paulo'),
  'sa-valparaiso-1': at('CL', 'Valparaíso'),
  'sa-vinhedo-1': at('BR-SP', 'Vinhedo'),
  // Called UK West (Newport); Newport is in Wales.
  'uk-cardiff-1': at('GB-WLS', 'Newport'),
  'uk-london-1': at('GB', 'London'),
  'us-ashburn-1': at('US-VA', 'Ashburn'),
  'us-chicago-1': at('US-IL', 'Chicago'),
  'us-phoenix-1': at('US-AZ', 'Phoenix'),
  'us-sanjose-1': at('US-CA', 'San Jose'),
  // Regions in the ranges that Oracle does not list.
  'us-abilene-1': NO_PLACE,
  'us-boardman-1': NO_PLACE,
  'us-dallas-1': NO_PLACE,
  'us-saltlake-2': NO_PLACE,
};
