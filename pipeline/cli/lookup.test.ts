import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LOOKUP_FIELDS } from '../lookup/fields.js';
import { smallFolder } from '../lookup/testing/small-folder.js';
import { PROJECT, type Ended } from '../testing/command-line.js';
import { runInProcess } from './testing/in-process.js';

/** Runs `ipatlas lookup` on the small files, with `typed` as standard input. */
function lookup(folder: string, args: readonly string[], typed = ''): Promise<Ended> {
  return runInProcess({}, ['lookup', '--output', folder, ...args], typed);
}

t.test('lines give CSV with a header; bad lines and their order are kept, and counted', async (t) => {
  const typed = '8.8.8.8\n 9.9.9.9 \r\nx,"y\n\n10.0.0.1\n2001:4860::1';
  const { code, stdout, stderr } = await lookup(
    smallFolder(t),
    ['--fields', 'country_code,asn,org,isp'],
    typed,
  );
  t.equal(
    stdout,
    [
      'ip,country_code,asn,org,isp',
      '8.8.8.8,US,15169,"Google ""LLC"", US",Google',
      '9.9.9.9,CH,19281,Quad9,Quad9',
      '"x,""y",,,,',
      ',,,,',
      '10.0.0.1,,,,',
      '2001:4860::1,US,,,',
      '',
    ].join('\n'),
  );
  t.match(stderr, /^6 lines: 3 found, 1 without data, 2 bad; first bad line 3: "x,"y"\n/);
  t.equal(code, 3);
});

t.test('NDJSON has the values and types of the API', async (t) => {
  const args = ['--format', 'ndjson', '--lang', 'zh', '8.8.8.8', '9.9.9.9', '1.2.3.4', 'bad\u0007'];
  const fields = 'country,city,region,latitude,asn,isp,ip_type,is_proxy,fraud_score,is_anycast';
  const { code, stdout } = await lookup(smallFolder(t), [...args, '--fields', fields]);
  t.same(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    [
      {
        ...{ ip: '8.8.8.8', country: '美国', city: '山景城', region: 'California', latitude: 37.4056 },
        ...{ asn: 15169, isp: 'Google', ip_type: '', is_proxy: false, fraud_score: '', is_anycast: false },
      },
      {
        ...{ ip: '9.9.9.9', country: '瑞士', city: '', region: '', latitude: null },
        ...{ asn: 19281, isp: 'Quad9', ip_type: '', is_proxy: false, fraud_score: '', is_anycast: true },
      },
      {
        ...{ ip: '1.2.3.4', country: '', city: '', region: '', latitude: null },
        ...{
          asn: null,
          isp: 'Exit',
          ip_type: '数据中心',
          is_proxy: true,
          fraud_score: '0',
          is_anycast: false,
        },
      },
      {
        ...{ ip: 'bad\u0007', country: null, city: null, region: null, latitude: null },
        ...{ asn: null, isp: null, ip_type: null, is_proxy: null, fraud_score: null, is_anycast: null },
      },
    ],
  );
  t.equal(code, 3);
});

t.test('the names of the fields are those of the API', (t) => {
  const reference = readFileSync(join(PROJECT, 'server/api.md'), 'utf8');
  const record = reference.slice(
    reference.indexOf('### GET /api/ip\n'),
    reference.indexOf('### GET /json\n'),
  );
  for (const name of LOOKUP_FIELDS.keys()) t.ok(record.includes(`\n| \`${name}\` | `), name);
  t.equal(LOOKUP_FIELDS.size, 26);
  t.end();
});

t.test('a table is aligned, and control characters are escaped', async (t) => {
  const { stdout } = await lookup(smallFolder(t), [
    '--format',
    'table',
    '--fields',
    'city,asn',
    '8.8.8.8',
    'a\u001b[1m\t',
  ]);
  t.same(stdout.split('\n'), [
    'ip        city           asn',
    '8.8.8.8   Mountain View  15169',
    'a\\x1b[1m',
    '',
  ]);
});

t.test('records of CSV keep their bytes and get columns', async (t) => {
  const typed = Buffer.from(
    '\ufeffid,地址,"a ""b"""\r\n1,8.8.8.8,x\r\n"2\n3"," 9.9.9.9 ","é,"\n4\n5,bad,\n6,8.8.8.8,7,8\n7,"8.8.8.8,x\n8,8.8.8.8,y"z\n9,8.8.8.8,',
  );
  const folder = smallFolder(t);
  const file = join(folder, 'in.csv');
  writeFileSync(file, typed);
  const args = ['--input', file, '--column', '地址', '--fields', 'country_code,org'];
  const { stdout, stderr } = await lookup(folder, args);
  t.same(stdout.split('\n'), [
    '\ufeffid,地址,"a ""b""",country_code,org\r',
    '1,8.8.8.8,x,US,"Google ""LLC"", US"\r',
    '"2',
    '3"," 9.9.9.9 ","é,",CH,Quad9',
    '4,,,,',
    '5,bad,,,',
    '6,8.8.8.8,7,8,,',
    '7,"8.8.8.8,x,,',
    '8,8.8.8.8,y"z,,',
    '9,8.8.8.8,,US,"Google ""LLC"", US"',
    '',
  ]);
  t.match(stderr, /^8 lines: 3 found, 0 without data, 5 bad; first bad line 3: "4"/);
});

t.test('a column may be a number; a first record without an address is a header', async (t) => {
  const folder = smallFolder(t);
  const args = ['--column', '2', '--fields', 'country_code', '--prefix', 'ip_'];
  t.equal((await lookup(folder, args, 'a,b\n1,8.8.8.8\n')).stdout, 'a,b,ip_country_code\n1,8.8.8.8,US\n');
  t.equal((await lookup(folder, args, '1,8.8.8.8\n')).stdout, '1,8.8.8.8,US\n');
  t.equal((await lookup(folder, args, '')).stdout, '');
  t.equal((await lookup(folder, [...args, '--format', 'csv'], '1,8.8.8.8')).stdout, '1,8.8.8.8,US\n');
});

t.test('objects of NDJSON get fields behind their own; other lines stay as they are', async (t) => {
  const typed =
    '{"a":{"ip":"8.8.8.8"},"n":12345678901234567890}\n{} \r\n[1]\nx\n{"a":{"ip":9}}\n{"a":"8.8.8.8"}';
  const { stdout, code } = await lookup(
    smallFolder(t),
    ['--field', 'a.ip', '--fields', 'country_code,asn'],
    typed,
  );
  t.same(stdout.split('\n'), [
    '{"a":{"ip":"8.8.8.8"},"n":12345678901234567890,"country_code":"US","asn":15169}',
    '{"country_code":null,"asn":null}\r',
    '[1]',
    'x',
    '{"a":{"ip":9},"country_code":null,"asn":null}',
    '{"a":"8.8.8.8","country_code":null,"asn":null}',
    '',
  ]);
  t.equal(code, 3);
});

t.test('any division of the input into blocks gives the same output', async (t) => {
  const typed = Buffer.from('﻿ip,"x\ny"\r\n8.8.8.8,"é""\n,"\n9.9.9.9,\r\n"8.8.8.8",a\n');
  const folder = smallFolder(t);
  const args = ['lookup', '--output', folder, '--column', 'ip', '--fields', 'country_code'];
  const whole = await runInProcess({}, args, typed.toString());
  t.match(whole.stdout, /,US\n9\.9\.9\.9,,CH\r\n"8\.8\.8\.8",a,US\n$/);
  for (const bytes of [1, 2, 3, 7]) {
    const blocks = Array.from({ length: Math.ceil(typed.length / bytes) }, (_, i) =>
      typed.subarray(i * bytes, (i + 1) * bytes),
    );
    t.equal((await runInProcess({}, args, blocks)).stdout, whole.stdout, `${bytes} bytes`);
  }
});

t.test('a folder with a current release may be named', async (t) => {
  const folder = smallFolder(t, ['geo']);
  mkdirSync(join(folder, 'of-releases'));
  symlinkSync('..', join(folder, 'of-releases', 'current'));
  t.match(
    (await lookup(join(folder, 'of-releases'), ['8.8.8.8', '--fields', 'city'])).stdout,
    /Mountain View/,
  );
  const none = await runInProcess({ OUTPUT: join(folder, 'none') }, ['lookup', '8.8.8.8']);
  t.match(none, { code: 1, stderr: /no release yet/ });
});

t.test('fields of a file that is missing are empty, and it is reported', async (t) => {
  const { stdout, stderr } = await lookup(smallFolder(t, ['geo']), [
    '8.8.8.8',
    '--fields',
    'country_code,asn,isp',
  ]);
  t.equal(stdout, 'ip,country_code,asn,isp\n8.8.8.8,US,,\n');
  t.match(stderr, /no asn\.mmdb: its fields are empty\n.*no isp\.mmdb/);
});

t.test('invalid options and inputs are refused', async (t) => {
  const folder = smallFolder(t);
  const cases: readonly [readonly string[], string, number, RegExp][] = [
    [
      ['--fields', 'city,contry'],
      '',
      64,
      /unknown name "contry" in --fields: expected some of country, country_code, /,
    ],
    [['--format', 'xml'], '', 64, /invalid --format "xml": expected table, csv, ndjson/],
    [['--lang', 'de'], '', 64, /invalid --lang "de"/],
    [['--column', 'ip', '--field', 'ip'], '', 64, /use one of them/],
    [['--input', 'none.csv', '--column', '1'], '', 64, /invalid --input "none.csv": file not found/],
    [['--column', '1', '8.8.8.8'], '', 64, /exclude/],
    [['--column', 'addr'], 'ip,b\n8.8.8.8,1\n', 1, /column "addr" not found: the header has "ip", "b"/],
    [
      ['--column', 'ip'],
      'ip,city\n8.8.8.8,1\n',
      1,
      /column "city" already: choose other names with --prefix/,
    ],
    [
      ['--field', 'ip'],
      '{"ip":"8.8.8.8","asn":1}',
      1,
      /field "asn" already: choose other names with --prefix/,
    ],
    [['--column', 'ip'], '"ip\n8.8.8.8', 1, /quotes are not closed/],
    [[], 'x'.repeat(1_100_000), 1, /line 1 of the input is longer/],
  ];
  for (const [args, typed, code, message] of cases) {
    const ended = await lookup(folder, args, typed);
    t.equal(ended.code, code, args.join(' '));
    t.match(ended.stderr, message);
  }
  const damaged = t.testdir({ 'geo.mmdb': 'no MMDB' });
  t.match(await lookup(damaged, ['8.8.8.8', '--fields', 'city']), {
    code: 1,
    stderr: /geo\.mmdb is damaged/,
  });
  t.match(await lookup(t.testdir({}), ['8.8.8.8', '--fields', 'city']), {
    code: 1,
    stderr: /has no geo\.mmdb/,
  });
});
