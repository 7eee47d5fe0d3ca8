import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { geoip2, without } from '../mmdb/testing/oracles.js';
import { anonymousIp } from './isp-record.js';
import { ispDataset } from './isp-dataset.js';
import { fileOf, listOf, originsOf, inputsOf } from './testing/isp-inputs.js';

t.test('each proxy type sets its flag, independent of hosting', (t) => {
  t.strictSame(anonymousIp(undefined, false), {});
  t.strictSame(anonymousIp(undefined, true), { is_hosting_provider: true });
  t.strictSame(anonymousIp('VPN', true), {
    is_anonymous: true,
    is_anonymous_vpn: true,
    is_hosting_provider: true,
  });
  t.strictSame(anonymousIp('TOR', false), { is_anonymous: true, is_tor_exit_node: true });
  t.strictSame(anonymousIp('PUB', false), { is_anonymous: true, is_public_proxy: true });
  t.strictSame(anonymousIp('WEB', false), { is_anonymous: true, is_public_proxy: true });
  t.strictSame(anonymousIp('RES', false), { is_anonymous: true, is_residential_proxy: true });
  t.strictSame(anonymousIp('CPN', false), { is_anonymous: true }, 'a relay has no flag of its own');
  t.end();
});

t.test('geoip2 reads its ISP and Anonymous IP models from one file', { skip: without('geoip2') }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isp-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'isp.mmdb');
  const dataset = ispDataset(
    inputsOf({
      lists: [
        listOf('tor', { '45.0.0.1/32': { type: 'TOR' } }),
        listOf('ip2proxy', { '45.0.0.2/32': { type: 'PUB', isp: 'Example Cable' } }),
        listOf('aws', { '3.0.0.0/16': { cloud: 'Amazon AWS', service: 'EC2' } }),
      ],
      origins: originsOf({
        '45.0.0.0/16': { asn: 4_199_999_999, name: 'EXAMPLE', organisation: 'Example AB' },
      }),
    }),
  );
  writeFileSync(path, fileOf(dataset));
  const ips = ['45.0.0.1', '45.0.0.2', '3.0.0.1', '9.0.0.1'];
  const holder = { number: 4_199_999_999, organization: 'Example AB' };
  t.strictSame(geoip2(path, 'isp', ips), [
    { ...holder, isp: 'Example AB', holder: 'Example AB' },
    { ...holder, isp: 'Example Cable', holder: 'Example Cable' },
    { number: null, organization: null, isp: null, holder: null },
    null,
  ]);
  const nothing = { vpn: false, hosting: false, publicProxy: false, torExit: false };
  t.strictSame(geoip2(path, 'anonymous_ip', ips), [
    { anonymous: true, ...nothing, torExit: true },
    { anonymous: true, ...nothing, publicProxy: true },
    { anonymous: false, ...nothing, hosting: true },
    null,
  ]);
  t.end();
});
