import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { openDataset } from './dataset.js';
import { exportGeolite2Csv } from './geolite2-csv.js';
import { networksOf } from './networks.js';
import { writeDatasets } from './testing/small-datasets.js';

const dir = t.testdir();
writeDatasets(dir);

async function exported(name: string): Promise<string> {
  const out = join(dir, name);
  const dataset = await openDataset(join(dir, `${name}.mmdb`));
  await exportGeolite2Csv({ dataset, networks: () => networksOf(dataset) }, out);
  return out;
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
const header = (path: string): string => linesOf(path)[0]!;

t.test('the files of GeoLite2 City have the columns of MaxMind', async (t) => {
  const out = await exported('geo');
  const published = join(PROJECT_ROOT, 'fixtures/sources/geolite2');
  for (const name of readdirSync(published).filter((name) => name.endsWith('.csv')))
    t.equal(header(join(out, name)), header(join(published, name)), name);
});

t.test('blocks refer to the most detailed place with an id, which has a row in every language', async (t) => {
  const out = await exported('geo');
  t.same(linesOf(join(out, 'GeoLite2-City-Blocks-IPv4.csv')).slice(1), [
    '1.0.0.0/24,1799962,6252001,,0,0,,32.0617,118.7778,20,',
    '1.0.1.0/24,1814991,1814991,,0,0,,,,,',
    '1.0.2.0/24,1799962,6252001,,0,0,,32.0617,118.7778,20,',
    '8.8.0.0/16,6252001,,,0,0,,0,-97.5,,1',
  ]);
  t.same(linesOf(join(out, 'GeoLite2-City-Blocks-IPv6.csv')).slice(1), [
    '2001:4860::/32,6252001,,,0,0,,0,-97.5,,1',
    '240e::/20,1814991,1814991,,0,0,,,,,',
  ]);
  t.same(linesOf(join(out, 'GeoLite2-City-Locations-zh-CN.csv')).slice(1), [
    '1799962,zh-CN,AS,亚洲,CN,中国,JS,江苏省,,,南京市,,Asia/Shanghai,0',
    '1814991,zh-CN,AS,亚洲,CN,中国,,,,,,,,0',
    '6252001,zh-CN,NA,北美洲,US,美国,,,,,,,,0',
  ]);
  t.match(
    linesOf(join(out, 'GeoLite2-City-Locations-en.csv'))[1],
    '1799962,en,AS,Asia,CN,China,JS,Jiangsu,,,"Nanjing, ""南京""",,Asia/Shanghai,0',
  );
  t.same(linesOf(join(out, 'GeoLite2-Country-Locations-en.csv')).slice(1), [
    '1814991,en,AS,Asia,CN,China,0',
    '6252001,en,NA,North America,US,United States,0',
  ]);
  t.match(readFileSync(join(out, 'LICENSE.txt'), 'utf8'), 'Attribution: Data of publisher 1');
});

t.test('asn and isp have the files of ASN, ISP and Anonymous IP', async (t) => {
  t.same(linesOf(join(await exported('asn'), 'GeoLite2-ASN-Blocks-IPv4.csv')).slice(0, 3), [
    'network,autonomous_system_number,autonomous_system_organization',
    '1.0.0.0/25,4134,China Telecom',
    '1.0.1.0/24,13335,"Cloudflare, Inc."',
  ]);
  const isp = await exported('isp');
  t.same(linesOf(join(isp, 'GeoIP2-ISP-Blocks-IPv4.csv')), [
    'network,isp,organization,autonomous_system_number,autonomous_system_organization,mobile_country_code,mobile_network_code',
    '8.8.8.0/25,Google,,,,,',
    '8.8.9.0/24,X,,,,,',
  ]);
  t.same(linesOf(join(isp, 'GeoIP2-Anonymous-IP-Blocks-IPv4.csv')).slice(1), [
    '8.8.8.0/25,,,1,,,',
    '8.8.9.0/24,1,1,,,,',
  ]);
  for (const name of ['GeoIP2-ISP', 'GeoIP2-Anonymous-IP'])
    t.equal(
      linesOf(join(isp, `${name}-Blocks-IPv6.csv`)).length,
      1,
      'a network without any field has no row',
    );
  t.equal(
    header(join(isp, 'GeoIP2-Anonymous-IP-Blocks-IPv6.csv')),
    'network,is_anonymous,is_anonymous_vpn,is_hosting_provider,is_public_proxy,is_tor_exit_node,is_residential_proxy',
  );
});

/** Why the converter cannot run; false when it can. */
function withoutConverter(): string | false {
  const modules = spawnSync('perl', ['-MNet::CIDR::Lite', '-MText::CSV_XS', '-e', '1']);
  if (existsSync(CONVERTER) && modules.status === 0) return false;
  return 'xtables-addons-common, libnet-cidr-lite-perl or libtext-csv-xs-perl is not installed';
}

const CONVERTER = '/usr/libexec/xtables-addons/xt_geoip_build_maxmind';

t.test('the converter of xt_geoip reads the Country files', { skip: withoutConverter() }, async (t) => {
  const target = join(dir, 'xt_geoip');
  mkdirSync(target);
  execFileSync(CONVERTER, ['-S', await exported('geo'), '-D', target], { stdio: 'pipe' });
  t.equal(readFileSync(join(target, 'CN.iv4')).toString('hex'), '01000000010002ff');
  t.equal(readFileSync(join(target, 'US.iv4')).toString('hex'), '080800000808ffff');
});
