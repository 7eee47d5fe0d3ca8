import { Reader } from '@maxmind/geoip2-node';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { geoip2, perlModel, without, type TypedModel } from '../mmdb/testing/oracles.js';
import { addEditions } from './add-editions.js';
import { writeDownloadable } from './testing/downloadable-files.js';

/** Paths of all files and editions by database type. */
const paths = await (async () => {
  const dir = t.testdir();
  const { files, editions = [] } = await addEditions(writeDownloadable(dir), dir);
  const found = new Map<string, string>();
  for (const { name, type, of, bodyBytes } of editions) {
    const body = readFileSync(join(dir, of)).subarray(0, bodyBytes);
    writeFileSync(join(dir, `${type}.mmdb`), Buffer.concat([body, readFileSync(join(dir, name))]));
    found.set(type, join(dir, `${type}.mmdb`));
  }
  for (const { name, kind, databaseType } of files)
    if (kind === 'download') found.set(databaseType.split(' ')[0]!, join(dir, name));
  return found;
})();

const IP = '1.0.1.1';

/** The methods that typed clients have for each type. */
const METHODS: readonly (readonly [type: string, model: TypedModel])[] = [
  ['GeoLite2-City', 'city'],
  ['GeoIP2-City', 'city'],
  ['GeoLite2-Country', 'country'],
  ['GeoIP2-Country', 'country'],
  ['GeoLite2-ASN', 'asn'],
  ['GeoIP2-ISP', 'isp'],
  ['GeoIP2-Anonymous-IP', 'anonymous_ip'],
];

t.test(
  'Perl’s GeoIP2 reads every edition, and refuses our own types',
  { skip: without('geoip2-perl') },
  (t) => {
    const expected: Readonly<Record<TypedModel, object>> = {
      city: { city: 'Guangzhou', country: 'CN', latitude: 23.125 },
      country: { country: 'CN', name: 'China' },
      asn: { number: 4134, organization: 'Chinanet' },
      isp: { isp: 'China Telecom', organization: 'Chinanet' },
      anonymous_ip: { anonymous: 1, tor: 1 },
    };
    for (const [type, model] of METHODS)
      t.match(perlModel(paths.get(type)!, model, IP), expected[model], type);
    t.throws(() => perlModel(paths.get('ipatlas-City')!, 'city', IP), /cannot be called with a ipatlas-City/);
    t.end();
  },
);

t.test('python3-geoip2 reads countries of the Country editions only', { skip: without('geoip2') }, (t) => {
  const china = { continent: 'AS', country: 'CN', name: 'China', registeredCountry: 'CN' };
  for (const type of ['GeoLite2-Country', 'GeoIP2-Country'])
    t.strictSame(geoip2(paths.get(type)!, 'country', [IP, '9.9.9.9']), [china, null], type);
  for (const [type, model] of METHODS) t.ok(geoip2(paths.get(type)!, model, [IP])[0], `${type}: ${model}`);
  t.throws(() => geoip2(paths.get('ipatlas-City')!, 'country', [IP]), /cannot be used with the ipatlas-City/);
  t.end();
});

t.test('geoip2-node reads every edition', async (t) => {
  const open = async (type: string) => await Reader.open(paths.get(type)!);
  for (const type of ['GeoLite2-City', 'GeoIP2-City']) {
    const { city, country, location, subdivisions } = (await open(type)).city(IP);
    t.match([city?.names.en, country?.isoCode, location?.latitude], ['Guangzhou', 'CN', 23.125], type);
    t.equal(subdivisions?.[0]?.isoCode, 'GD');
  }
  for (const type of ['GeoLite2-Country', 'GeoIP2-Country'])
    t.equal((await open(type)).country(IP).country?.isoCode, 'CN', type);
  t.equal((await open('GeoLite2-ASN')).asn(IP).autonomousSystemNumber, 4134);
  t.match((await open('GeoIP2-ISP')).isp(IP), { isp: 'China Telecom', organization: 'Chinanet' });
  t.match((await open('GeoIP2-Anonymous-IP')).anonymousIP(IP), { isAnonymous: true, isTorExitNode: true });
  const own = await open('ipatlas-City');
  t.throws(() => own.country(IP), /country\(\) method cannot be used/);
});

t.test('a record without the fields of a model is read as one without them', async (t) => {
  const bare = '1.1.1.1';
  const city = (await Reader.open(paths.get('GeoLite2-City')!)).city(bare);
  t.match([city.country?.isoCode, city.traits.isAnycast, city.city?.names], ['CN', true, undefined]);
  t.equal((await Reader.open(paths.get('GeoIP2-ISP')!)).isp(bare).isp, undefined);
  t.match((await Reader.open(paths.get('GeoIP2-Anonymous-IP')!)).anonymousIP(bare), {
    isHostingProvider: true,
    isAnonymous: false,
  });
});
