import { join } from 'node:path';
import t, { type Test } from 'tap';
import { gzFile } from '../../fixtures/generate/gz-file.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import type { RoutingSource } from '../input/routing-source.js';
import { parseAddress } from '../net/address.js';
import { FlatTable } from '../table/flat-table.js';
import { GEOLITE2_ASN } from './geolite2-asn.js';
import { IPINFO_ASN } from './ipinfo-asn.js';
import {
  domainsByAsn,
  loadObservedAses,
  organisationsByAsn,
  type ObservedAs,
  type ObservedAses,
} from './observed-ases.js';
import { refusalsOf, tryContents, trySource, type SourceTrial } from './testing/source-trial.js';

const ZIP = 'GeoLite2-ASN-CSV_20261117.zip';
const GZ = 'ipinfo_lite.csv.gz';
const ASN_HEADER = 'network,autonomous_system_number,autonomous_system_organization';
const LITE_HEADER = 'network,country,country_code,continent,continent_code,asn,as_name,as_domain';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

function lookup({ table, ases }: ObservedAses, address: string): ObservedAs | undefined {
  const match = table.lookup(parseAddress(address)!.address);
  return match && ases[match.recordId];
}

/** A snapshot of GeoLite2 ASN with these lines by family. */
function zipOf(blocks: Readonly<Record<string, readonly string[]>>): Buffer {
  const contents = Object.entries(blocks).map(([family, lines]) => ({
    name: `GeoLite2-ASN-CSV_20261117/GeoLite2-ASN-Blocks-${family}.csv`,
    bytes: textOf(lines),
  }));
  return zipFile(contents);
}

function gzOf(...lines: readonly string[]): Buffer {
  return gzFile(textOf(lines));
}

function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

/** Normalises a file of the source with these bytes. */
function tryBytes(t: Test, source: RoutingSource, bytes: Buffer): Promise<SourceTrial> {
  return tryContents(t, source, { [source === IPINFO_ASN ? GZ : ZIP]: bytes });
}

t.test('GeoLite2 ASN gives number and organisation of networks of both families', async (t) => {
  const { dir, tally } = await trySource(t.testdir({}), GEOLITE2_ASN, [
    openFileAt(join(FIXTURES, 'geolite2-asn', ZIP), 'zip'),
  ]);
  const observed = loadObservedAses('geolite2', dir);
  t.match(tally(ZIP), { accepted: 32, rejected: 0 });
  t.same(lookup(observed, '2.143.1.1'), { asn: 3352, organisation: 'TELEFONICA DE ESPANA S.A.U.' });
  t.same(lookup(observed, '2001:4860:4860::8888'), { asn: 15169, organisation: 'GOOGLE' });
  t.equal(lookup(observed, '9.9.9.9'), undefined);
});

t.test('IPinfo gives number, organisation and domain; rows without an AS are accepted', async (t) => {
  const { dir, tally } = await trySource(t.testdir({}), IPINFO_ASN, [
    openFileAt(join(FIXTURES, 'ipinfo', GZ), 'gz'),
  ]);
  const observed = loadObservedAses('ipinfo', dir);
  t.same(lookup(observed, '1.0.0.1'), {
    asn: 13335,
    organisation: 'Cloudflare, Inc.',
    domain: 'cloudflare.com',
  });
  t.equal(lookup(observed, '1.0.1.1'), undefined);
  t.ok(tally(GZ).notes.unknown! > 0);
});

t.test('each bad row is rejected with its reason and line', async (t) => {
  const { dir, rejections, tally } = await tryBytes(
    t,
    GEOLITE2_ASN,
    zipOf({
      IPv4: [
        ASN_HEADER,
        '5.5.0.0/16,3352,TELEFONICA',
        '5.5.5.0/24,3352',
        '5.5.5.0/33,3352,TELEFONICA',
        '5.5.6.0/24,AS3352,TELEFONICA',
        '5.5.7.0/24,99999999999,TELEFONICA',
        '5.5.8.0/24,64512,private use',
        '5.5.9.0/24,0,reserved',
        '10.0.0.0/24,3352,TELEFONICA',
        '2a00:5::/32,3352,TELEFONICA',
        '5.6.0.0/16,,',
        '5.7.0.0/16,3352,-',
      ],
      IPv6: [ASN_HEADER, '2a00:5::/32,3352,TELEFONICA', '2001:db8::/32,3352,TELEFONICA'],
    }),
  );
  t.same(
    rejections(ZIP),
    ['address@4', 'asn@5', 'asn@6', 'asn@7', 'columns@3', 'family@10', 'reserved@3', 'reserved@9'],
    'three examples of a reason are kept',
  );
  t.match(tally(ZIP), { accepted: 4, rejected: 9, notes: { unknown: 1 } });
  const observed = loadObservedAses('geolite2', dir);
  t.same(lookup(observed, '5.5.8.1'), { asn: 3352, organisation: 'TELEFONICA' }, 'a reserved AS is ignored');
  t.same(lookup(observed, '5.7.0.1'), { asn: 3352 });
  t.equal(lookup(observed, '5.6.0.1'), undefined);
});

t.test('reserved AS numbers and odd ones of IPinfo are rejected', async (t) => {
  const place = 'Spain,ES,Europe,EU';
  const { rejections } = await tryBytes(
    t,
    IPINFO_ASN,
    gzOf(
      LITE_HEADER,
      `5.5.5.0/24,${place},AS3352,Telefonica,telefonica.com`,
      `5.5.6.0/24,${place},3352,Telefonica,`,
      `5.5.7.0/24,${place},AS23456,AS_TRANS,`,
    ),
  );
  t.same(rejections(GZ), ['asn@3', 'asn@4']);
});

t.test('a file of another layout is refused', async (t) => {
  const rows = [ASN_HEADER, '5.5.0.0/16,3352,TELEFONICA'];
  const cases: readonly (readonly [RoutingSource, Buffer, string])[] = [
    [GEOLITE2_ASN, zipOf({ IPv4: rows }), `missing geolite2-asn/${ZIP}`],
    [GEOLITE2_ASN, zipOf({ IPv4: rows, IPv6: ['network,asn'] }), `header geolite2-asn/${ZIP}`],
    [GEOLITE2_ASN, zipOf({ IPv4: rows, IPv6: [] }), `truncated geolite2-asn/${ZIP}`],
    [GEOLITE2_ASN, Buffer.from('<html>'), `container geolite2-asn/${ZIP}`],
    [IPINFO_ASN, gzOf('network,country'), `header ipinfo/${GZ}`],
  ];
  for (const [source, bytes, refusal] of cases) {
    t.same(await refusalsOf(tryBytes(t, source, bytes)), [refusal]);
  }
});

t.test('names by AS number are those of the first publisher that has one', (t) => {
  const table = FlatTable.empty();
  const observed: readonly ObservedAses[] = [
    { observer: 'geolite2', table, ases: [{ asn: 1, organisation: 'One' }, { asn: 2 }] },
    {
      observer: 'ipinfo',
      table,
      ases: [
        { asn: 1, organisation: 'ONE', domain: 'one.example' },
        { asn: 2, organisation: 'Two' },
        { asn: 2, organisation: '2' },
      ],
    },
  ];
  t.same(
    [...organisationsByAsn(observed)],
    [
      [1, 'One'],
      [2, 'Two'],
    ],
  );
  t.same([...domainsByAsn(observed)], [[1, 'one.example']]);
  t.end();
});
