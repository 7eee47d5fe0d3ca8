import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { build, copyFeeds, inputFile, openGeo, outputFolder, served } from './testing/command-line.js';

const AFRINIC = 'rir/delegated-afrinic-extended-latest';
/** Rows of DB-IP and IPinfo about space that AFRINIC lists as available. */
const DBIP_ROWS =
  '102.192.0.0,102.199.255.255,AF,MU,,,0,0\n2001:4208::,2001:420f:ffff:ffff:ffff:ffff:ffff:ffff,AF,MU,,,0,0\n';
const IPINFO_ROW = '102.192.64.0/24,Kenya,KE,Africa,AF,AS37061,Safaricom,safaricom.co.ke\n';

const FEEDS = copyFeeds(t);
append('dbip/dbip-city-lite-2026-11.csv.gz', DBIP_ROWS);
append('ipinfo/ipinfo_lite.csv.gz', IPINFO_ROW);

function append(name: string, rows: string): void {
  const path = join(FEEDS, name);
  writeFileSync(path, gzipSync(gunzipSync(readFileSync(path)).toString() + rows));
}

t.test('space that a registry lists as available has no country, unless a feed shows its use', async (t) => {
  const OUTPUT = outputFolder(t);
  const { stdout } = await build(t, { FEEDS, OUTPUT, BUILD_FEEDS: 'own,dbip,ipinfo' });
  const [get, download] = [openGeo(OUTPUT), openGeo(OUTPUT, 'download/geo.mmdb')];
  for (const ip of ['102.192.0.1', '102.199.255.255', '2001:4208::1']) {
    t.equal(get(ip), undefined, ip);
    t.equal(download(ip), undefined, ip);
  }
  t.match(get('102.192.64.1'), { country: { iso_code: 'KE' } });
  t.equal(download('102.192.64.1'), undefined);
  const { manifest } = await served(OUTPUT);
  t.match(inputFile(manifest, 'own', AFRINIC).notes, { 'not-delegated': 4 });
  t.match(stdout, /^available or reserved space: 526,080 IPv4 addresses and .* in use$/m);
  t.match(stdout, /^ {2}networks with dropped claims: dbip \d+$/m);
  t.match(readFileSync(join(OUTPUT, 'current/report.html'), 'utf8'), 'IPv4 addresses without a country');
});

t.test('without that statistics the feeds decide', async (t) => {
  const OUTPUT = outputFolder(t);
  const path = join(FEEDS, AFRINIC);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('|available|', '|allocated|'));
  await build(t, { FEEDS, OUTPUT, BUILD_FEEDS: 'own,dbip,ipinfo' });
  t.match(openGeo(OUTPUT)('102.192.0.1'), { country: { iso_code: 'MU' } });
});
