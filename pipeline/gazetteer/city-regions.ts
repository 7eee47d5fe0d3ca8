/** Returns the first-level region that consists of the city with this GeoNames id. */
export function regionOfWholeCity(id: number): string | undefined {
  return REGIONS.get(id);
}

/**
 * GeoNames ids of the cities that make up a first-level region of ISO 3166-2. Other publishers count some of them to the
 * region around them.
 */
export const CITY_REGIONS: Readonly<Record<string, number>> = {
  'AM-ER': 616052,
  'AR-C': 3435910,
  'AT-9': 2761369,
  'AZ-BA': 587084,
  'AZ-GA': 586523,
  'BG-22': 727011,
  'BY-HM': 625144,
  'CI-AB': 2293538,
  'CI-YM': 2279755,
  'CN-BJ': 1816670,
  'CN-SH': 1796236,
  'CN-TJ': 1792947,
  'CO-DC': 3688689,
  'CZ-10': 3067696,
  'DE-BE': 2950159,
  'DE-HH': 2911298,
  'ET-AA': 344979,
  'GE-TB': 611717,
  'HR-21': 3186886,
  'HU-BU': 3054643,
  'ID-JK': 1642911,
  'KG-GB': 1528675,
  'KG-GO': 1527534,
  'KP-01': 1871859,
  'KP-14': 1873757,
  'KP-15': 1876373,
  'KR-11': 1835848,
  'KZ-71': 1526273,
  'KZ-75': 1526384,
  'KZ-79': 1518980,
  'LA-VT': 1651944,
  'MX-CMX': 3530597,
  'MZ-MPM': 1040652,
  'NG-FC': 2352778,
  'PE-LMA': 3936456,
  'RO-B': 683506,
  'RU-MOW': 524901,
  'RU-SPE': 498817,
  'TH-10': 1609350,
  'TW-CYI': 1678836,
  'TW-HSZ': 1675151,
  'TW-TPE': 1668341,
  'UA-30': 703448,
  'UZ-TK': 1512569,
  'YE-SA': 71137,
};

const REGIONS: ReadonlyMap<number, string> = new Map(
  Object.entries(CITY_REGIONS).map(([region, id]) => [id, region]),
);
