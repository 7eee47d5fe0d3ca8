import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ReleaseError, type Release } from '../release/release-store.js';
import { exampleInput } from '../release/testing/example-release.js';
import { LISTS } from '../lists/catalogue.js';
import { describeInspection } from './describe-inspection.js';
import { requireTarget } from './inspect-target.js';
import { inspectAddress, type Inspection } from './inspect.js';
import { releaseWith, type Datasets } from './testing/inspected-release.js';

const DATASETS: Datasets = {
  'isp.mmdb': {
    '104.28.0.0/16': {
      isp: 'Apple',
      organization: 'Apple',
      autonomous_system_number: 13335,
      autonomous_system_organization: 'Cloudflare, Inc.',
      usage_type: 'CDN',
      is_anonymous: true,
      is_cloud_idc: true,
      proxy: {
        type: 'CPN',
        provider: 'Apple iCloud Private Relay',
        threat: 'SPAM',
        fraud_score: 20,
        last_seen: '2026-11-21',
      },
    },
    '46.0.0.0/16': { is_cloud_idc: true, proxy: { type: 'DCH' }, cloud: { provider: 'Hetzner' } },
    '3.5.0.0/16': { usage_type: 'DCH', is_cloud_idc: true, cloud: { provider: 'Amazon AWS', service: 'S3' } },
  },
  'evidence.mmdb': {
    '104.28.0.0/24': {
      x4bnet: { type: 'VPN', last_seen: '2026-11-20' },
      'apple-relay': { type: 'CPN', provider: 'Apple iCloud Private Relay', last_seen: '2026-11-21' },
      'open-proxies': { type: 'PUB', evidence: 'scraped', last_seen: '2026-09-01', is_expired: true },
      'operator-lists': { allow: ['x4bnet', 'PUB'], is_own: true, last_seen: '2026-11-21' },
    },
    '46.0.0.0/16': {
      x4bnet: { type: 'VPN', taken_for: 'DCH', last_seen: '2026-11-20' },
      'spamhaus AS64496': { threat: 'SPAM', last_seen: '2026-11-20', asn: 64496 },
      'hosting-networks AS64496': { cloud: 'Hetzner', asn: 64496 },
    },
    '31.94.0.0/16': {
      x4bnet: { type: 'DCH', is_hosting: true, dropped: 'access', last_seen: '2026-11-20' },
    },
    '3.5.0.0/16': {
      aws: { cloud: 'Amazon AWS', service: 'S3', region: 'us-east-1', usage_type: 'DCH', is_hosting: true },
    },
  },
};

const inspect = (text: string, release: Release): Inspection => {
  const target = requireTarget(text);
  if (target.kind !== 'address') throw new Error(text);
  return inspectAddress(target, release);
};

/** The part of the output about the ISP dataset. */
function ispPart(t: Test, text: string, release = releaseWith(t, DATASETS).release): string {
  const all = describeInspection(inspect(text, release));
  return all.slice(all.indexOf('isp.mmdb'), all.lastIndexOf('\n\n'));
}

t.test('an address shows its ISP record and the listing of each list', (t) => {
  t.equal(
    ispPart(t, '104.28.0.1'),
    `isp.mmdb  104.28.0.0/16
isp       Apple
network   AS13335, Cloudflare, Inc.
usage     CDN, in a data centre
proxy     yes, CPN, Apple iCloud Private Relay, SPAM, fraud score 20, last seen
          2026-11-21

list            type  provider     cloud  last seen   agrees on     details
x4bnet          VPN   -            -      2026-11-20  -             -
apple-relay     CPN   Apple        -      2026-11-21  type,         -
                      iCloud                          provider
                      Private
                      Relay
open-proxies    PUB   -            -      2026-09-01  expired       scraped
operator-lists  -     -            -      2026-11-21  -             allows
                                                                    x4bnet PUB,
                                                                    operator's
                                                                    own list`,
  );
  t.end();
});

t.test('the output for a cloud address has `no` as its proxy', (t) => {
  const text = ispPart(t, '3.5.1.1');
  t.match(text, /^proxy +no$/m);
  t.match(text, /^cloud +Amazon AWS, S3$/m);
  t.match(text, /^aws .*Amazon AWS, S3, +- +usage, cloud +usage DCH, data\n +us-east-1 +centre$/m);
  t.end();
});

t.test('listings of the AS are shown apart from listings of the address', (t) => {
  const text = ispPart(t, '46.0.0.1');
  t.match(text, /^x4bnet +VPN +- +- +2026-11-20 +type +treated as DCH$/m);
  t.match(text, /^spamhaus AS64496 +- +- +- +2026-11-20 +- +SPAM$/m);
  t.match(text, /^hosting-networks +- +- +Hetzner +- +cloud +-\nAS64496$/m);
  t.end();
});

t.test('a listing that does not count is shown with the reason', (t) => {
  t.match(ispPart(t, '31.94.0.1'), /^x4bnet +DCH +- +- +2026-11-20 +- +dropped: access, data\n +centre$/m);
  t.end();
});

t.test('an address without a record or a listing is shown as such', (t) => {
  t.equal(ispPart(t, '9.9.9.9'), 'isp.mmdb  no record\n\nnot on any list');
  const { release } = releaseWith(t, {});
  const inspection = inspect('9.9.9.9', release);
  t.equal(inspection.service, undefined);
  t.match(describeInspection(inspection), /\n\nno ISP dataset in this release\n\n/);
  t.end();
});

t.test('refused files of lists are shown with the reason', (t) => {
  const { release } = releaseWith(t, DATASETS);
  const list = LISTS[0]!;
  const refusal = { refusal: 'shrunk', found: '4 rows', usedInstead: 'last good copy' } as const;
  const skipped = {
    file: 'x/paid.csv',
    refusal: 'skipped',
    found: 'no key',
    usedInstead: 'nothing',
  } as const;
  const inputs = [
    { ...exampleInput(list.id, 5), refusals: [{ file: 'x/list.txt', ...refusal }, skipped] },
    { ...exampleInput('own', 5), refusals: [{ file: 'own/x.csv', ...refusal }] },
  ];
  const refused = { ...release, manifest: { ...release.manifest, inputs } };
  t.match(
    ispPart(t, '9.9.9.9', refused),
    /not on any list\nrefused for this release: x\/list\.txt: shrunk: 4 rows\. Used instead: last good copy$/,
  );
  t.end();
});

t.test('a damaged file is an error that names it', (t) => {
  for (const name of ['isp.mmdb', 'evidence.mmdb']) {
    const { release } = releaseWith(t, DATASETS);
    writeFileSync(join(release.dir, name), 'x');
    t.throws(() => inspect('104.28.0.1', release), { name: ReleaseError.name, message: name });
  }
  t.end();
});
