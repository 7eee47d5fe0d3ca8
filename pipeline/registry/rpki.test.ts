import t, { type Test } from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import type { RpkiState, Vrps } from './registries.js';
import { loadVrps, RPKI } from './rpki.js';
import { cutsThatPass, refusalsOf, tryContents } from './testing/source-trial.js';

const HEADER = 'ASN,IP Prefix,Max Length,Trust Anchor';
const csv = (rows: readonly string[], header = HEADER): string => `${[header, ...rows].join('\n')}\n`;

function state(vrps: Vrps, prefix: string, origin: number | undefined): RpkiState {
  const { address, length } = parsePrefix(prefix)!;
  return vrps.stateOf(address, length, origin);
}

async function load(t: Test, contents: Readonly<Record<string, string>>): Promise<Vrps> {
  return loadVrps((await tryContents(t, RPKI, contents)).dir);
}

t.test('a route is valid, invalid or unknown according to RFC 6811', async (t) => {
  const vrps = await load(t, {
    'vrps.csv': csv([
      'AS64500,192.0.2.0/24,24,ripe',
      'AS64501,192.0.0.0/16,22,ripe',
      'AS0,198.51.100.0/24,32,arin',
      'AS13335,2001:db8::/32,48,apnic',
    ]),
  });
  t.equal(vrps.count, 4);
  t.equal(state(vrps, '192.0.2.0/24', 64500), 'valid');
  t.equal(state(vrps, '192.0.2.0/25', 64500), 'invalid', 'longer than the maximum');
  t.equal(state(vrps, '192.0.2.0/24', 64499), 'invalid', 'another origin');
  t.equal(state(vrps, '192.0.0.0/22', 64501), 'valid', 'any covering payload, not only the longest');
  t.equal(state(vrps, '192.0.2.0/22', 64501), 'valid');
  t.equal(state(vrps, '192.0.2.0/23', 64501), 'invalid');
  t.equal(state(vrps, '192.0.2.0/24', undefined), 'invalid', 'a route without an origin is never valid');
  t.equal(state(vrps, '198.51.100.0/24', 0), 'invalid', 'AS0 never matches');
  t.equal(state(vrps, '192.0.0.0/15', 64501), 'unknown', 'covered by no payload');
  t.equal(state(vrps, '203.0.113.0/24', undefined), 'unknown');
  t.equal(state(vrps, '2001:db8:1::/48', 13335), 'valid');
  t.equal(state(vrps, '2001:db9::/32', 13335), 'unknown');
  t.equal(state(vrps, '0.0.0.0/0', 64500), 'unknown', 'before every payload');
});

t.test('a longer covering payload does not hide a shorter one that matches', async (t) => {
  const vrps = await load(t, { 'vrps.csv': csv(['AS1,10.0.0.0/8,24,x', 'AS2,10.1.0.0/16,24,x']) });
  t.equal(state(vrps, '10.1.2.0/24', 1), 'valid');
  t.equal(state(vrps, '10.1.2.0/24', 2), 'valid');
  t.equal(state(vrps, '10.1.2.0/24', 3), 'invalid');
});

t.test('property: the state agrees with a scan of all payloads', async (t) => {
  const random = pseudoRandom(3);
  const prefix = (): { text: string; start: number; bits: number } => {
    const bits = 12 + random(21);
    const start = ((10 * 2 ** 24 + random(2 ** 18) * 2 ** 6) & (0xffff_ffff << (32 - bits))) >>> 0;
    const octets = [24, 16, 8, 0].map((shift) => (start >>> shift) & 255);
    return { text: `${octets.join('.')}/${bits}`, start, bits };
  };
  const payloads = Array.from({ length: 400 }, () => {
    const made = prefix();
    return { ...made, asn: random(4), longest: made.bits + random(33 - made.bits) };
  });
  const rows = payloads.map(({ text, asn, longest }) => `AS${asn},${text},${longest},x`);
  const vrps = await load(t, { 'vrps.csv': csv(rows) });
  const met = new Set<RpkiState>();
  for (let round = 0; round < 20_000; round++) {
    const route = random(4) === 0 ? payloads[random(payloads.length)]! : prefix();
    const origin = random(5) === 4 ? undefined : random(4);
    const covering = payloads.filter(
      ({ start, bits }) =>
        bits <= route.bits && route.start - start >= 0 && route.start - start < 2 ** (32 - bits),
    );
    const matches = covering.some(({ asn, longest }) => asn === origin && asn !== 0 && longest >= route.bits);
    const expected = covering.length === 0 ? 'unknown' : matches ? 'valid' : 'invalid';
    const found = state(vrps, route.text, origin);
    met.add(found);
    if (found !== expected) t.equal(found, expected, `${route.text} of AS${origin ?? '-'}`);
  }
  t.same([...met].sort(), ['invalid', 'unknown', 'valid'], 'all states occur');
});

const ROW = { prefix: '192.0.2.0/24', maxLength: 24, ta: 'ripe' };
const json = (roas: readonly unknown[], metadata: unknown = {}): string =>
  JSON.stringify({ metadata, roas, aspas: [{ customer_asid: 1, providers: [2] }] });

t.test('the three forms of CSV and the two of JSON give the same result', async (t) => {
  const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'Routinator csv': { 'vrps.csv': csv(['AS64500,192.0.2.0/24,24,ripe']) },
    csvcompat: {
      'vrps.csv': csv(
        ['"64500","192.0.2.0/24","24","ripe"'],
        '"ASN","IP Prefix","Max Length","Trust Anchor"',
      ),
    },
    'rpki-client csv': { 'vrps.csv': csv(['AS64500,192.0.2.0/24,24,ripe,1753280249'], `${HEADER},Expires`) },
    'Routinator json': { 'vrps.json': json([{ asn: 'AS64500', ...ROW }], { generated: 1 }) },
    'rpki-client json': { 'rpki.json': json([{ asn: 64500, ...ROW, expires: 1753280249 }]) },
    'with BOM and CRLF': {
      'vrps.csv': `\u{feff}${csv(['AS64500,192.0.2.0/24,24,ripe']).replaceAll('\n', '\r\n')}`,
    },
    'JSON with BOM': { 'rpki.json': `\u{feff}${json([{ asn: 64500, ...ROW }])}` },
    'without a maximum': { 'vrps.csv': csv(['AS64500,192.0.2.0/24,,ripe']) },
    'JSON without a maximum': { 'rpki.json': json([{ asn: 64500, prefix: ROW.prefix }]) },
  };
  for (const [shape, contents] of Object.entries(shapes)) {
    const vrps = await load(t, contents);
    t.equal(vrps.count, 1, shape);
    t.equal(state(vrps, '192.0.2.0/24', 64500), 'valid', shape);
    t.equal(state(vrps, '192.0.2.0/25', 64500), 'invalid', shape);
  }
});

t.test('a payload of several trust anchors or files counts once', async (t) => {
  const trial = await tryContents(t, RPKI, {
    'vrps.csv': csv([
      'AS64500,192.0.2.0/24,24,ripe',
      'AS64500,192.0.2.0/24,24,arin',
      'AS64500,192.0.2.0/24,25,arin',
    ]),
    'rpki.json': json([{ asn: 64500, ...ROW }]),
  });
  t.equal(loadVrps(trial.dir).count, 2);
  t.same(trial.tally('vrps.csv').notes, { duplicate: 1 });
  t.same(trial.tally('rpki.json').notes, { duplicate: 1 });
  t.equal(trial.tally('rpki.json').accepted, 1);
});

t.test('payloads that had expired at the build time are rejected, whatever the current time', async (t) => {
  const roas = [
    { asn: 1, ...ROW, expires: 1_000 },
    { asn: 2, ...ROW, expires: 999 },
    { asn: 3, ...ROW },
  ];
  const times = [
    { buildtime: '1970-01-01T00:16:40Z' },
    { generatedTime: '1970-01-01T00:16:40Z', generated: 0 },
    { generated: 1_000 },
  ];
  for (const metadata of times) {
    const trial = await tryContents(t, RPKI, { 'rpki.json': json(roas, metadata) });
    t.equal(loadVrps(trial.dir).count, 2);
    t.same(trial.tally('rpki.json').rejections, {
      date: { count: 1, examples: [{ position: 2, excerpt: 'AS2 192.0.2.0/24 expires 999' }] },
    });
    t.equal(trial.tally('rpki.json').rows, 3);
  }
  t.equal(
    (await load(t, { 'rpki.json': json(roas, { buildtime: 'soon' }) })).count,
    3,
    'no build time: kept',
  );
  const last = JSON.stringify({ roas, metadata: { generated: 1_000 } });
  t.equal((await load(t, { 'rpki.json': last })).count, 2, 'the build time may come last');
});

t.test('bad payloads are rejected with their reason', async (t) => {
  const rows = [
    'ASX,192.0.2.0/24,24,x',
    'AS4294967296,192.0.2.0/24,24,x',
    'AS1,192.0.2.256/24,24,x',
    'AS1,192.0.2.0/24,23,x',
    'AS1,192.0.2.0/24,33,x',
    'AS1,2001:db8::/32,129,x',
    'AS1,192.0.2.0/24,long,x',
    'AS1,192.0.2.0/24,24',
    'AS1,::/0,0,x',
    'AS1,192.0.2.1/24,24,x',
  ];
  const trial = await tryContents(t, RPKI, { 'vrps.csv': csv(rows) });
  const { rejections, accepted, notes, rows: total } = trial.tally('vrps.csv');
  const counted = Object.fromEntries(
    Object.entries(rejections).map(([reason, { count }]) => [reason, count]),
  );
  t.same(counted, { asn: 2, address: 1, 'max-length': 4, columns: 1, reserved: 1 });
  t.same(notes, { 'host-bits': 1 });
  t.equal(accepted, 1);
  t.equal(total, rows.length);
  t.same(rejections.address?.examples, [{ position: 4, excerpt: rows[2] }]);
});

t.test('bad objects are rejected with their number in the list', async (t) => {
  const roas = [
    null,
    7,
    { asn: 1, maxLength: 24 },
    { asn: 1, ...ROW, maxLength: '24' },
    { asn: 1, ...ROW, maxLength: 24.5 },
    { asn: {}, ...ROW },
    { asn: -1, ...ROW },
    { asn: 1, ...ROW, expires: 'never' },
    { asn: 1, ...ROW },
  ];
  const trial = await tryContents(t, RPKI, { 'rpki.json': json(roas) });
  t.same(trial.rejections('rpki.json'), [
    'asn@6',
    'asn@7',
    'date@8',
    'json@1',
    'json@2',
    'json@3',
    'max-length@5',
  ]);
  t.equal(trial.tally('rpki.json').rejections.json?.count, 4);
  t.equal(loadVrps(trial.dir).count, 1);
});

t.test('JSON cut at any byte gives the same result or is refused', async (t) => {
  const whole = Buffer.from(
    json(
      [
        { asn: 'AS64500', ...ROW },
        { asn: 64501, ...ROW, expires: 5 },
      ],
      { generated: 1 },
    ),
  );
  const read = ({ dir }: { readonly dir: string }): unknown => loadVrps(dir).count;
  t.same(await cutsThatPass(t, RPKI, { name: 'rpki.json', whole, read }), []);
});

t.test('CSV cut inside a line is refused', async (t) => {
  const whole = Buffer.from(csv(['AS64500,192.0.2.0/24,24,ripe', 'AS64501,2001:db8::/32,48,apnic']));
  const read = ({ dir }: { readonly dir: string }): unknown => loadVrps(dir).count;
  const passed = await cutsThatPass(t, RPKI, { name: 'vrps.csv', whole, read });
  t.same(passed, [whole.indexOf('ripe\n') + 5], 'a cut between two lines is undetectable');
});

t.test('files with other content are refused', async (t) => {
  const contents: Readonly<Record<string, readonly [name: string, content: string | Buffer]>> = {
    'container: a page': ['vrps.csv', '<!doctype html><html>Sign in</html>'],
    'container: no JSON': ['rpki.json', 'Too many requests'],
    'container: two documents': ['rpki.json', `${json([{ asn: 1, ...ROW }])}{"roas":[]}`],
    'container: Latin-1': ['rpki.json', Buffer.from(json([{ asn: 1, ...ROW, ta: 'caf\u00e9' }]), 'latin1')],
    'header: an error': ['rpki.json', '{"error":"not found"}'],
    'header: a list': ['rpki.json', '[1,2]'],
    'header: no payload': ['rpki.json', json([])],
    'header: no row': ['vrps.csv', `${HEADER}\n`],
    'header: other columns': ['vrps.csv', csv(['a,b'], 'URI,ASN')],
    'truncated: empty': ['rpki.json', ''],
    'too-deep: brackets': ['rpki.json', `{"roas":[${'['.repeat(1_000_000)}`],
    'too-large: an endless text': ['rpki.json', `{"roas":[{"asn":"${'1'.repeat(5_000_000)}`],
    'too-large: an endless payload': ['rpki.json', `{"roas":[[${'[],'.repeat(2_000_000)}`],
  };
  for (const [what, [name, content]] of Object.entries(contents)) {
    const refusal = what.slice(0, what.indexOf(':'));
    t.same(await refusalsOf(tryContents(t, RPKI, { [name]: content })), [`${refusal} rpki/${name}`], what);
  }
  t.same(await refusalsOf(tryContents(t, RPKI, {})), ['missing rpki']);
});
