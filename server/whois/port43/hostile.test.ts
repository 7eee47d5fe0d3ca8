import t from 'tap';
import { BYTE_MUTATORS, inserting, mutate } from '../../../pipeline/fuzz/mutate.js';
import { Random } from '../../../pipeline/fuzz/random.js';
import { parseHostName } from '../../targets/host-name.js';
import { parseAddressRange } from './address-range.js';
import { parseWhoisHost } from './referral.js';
import { outcomeOf, PIECES } from './testing/outcome.js';
import { DOMAIN_SAMPLES, NETWORK_SAMPLES } from './testing/samples.js';

const SAMPLES = [...DOMAIN_SAMPLES, ...NETWORK_SAMPLES];

const MUTATORS = [...BYTE_MUTATORS, inserting(PIECES)];

t.test('randomly cut, mixed and damaged samples yield an answer or an UpstreamError', (t) => {
  const random = new Random(43);
  const outcomes = new Map<string, number>();
  const absent = new Set<string>();
  for (let round = 0; round < 3000; round++) {
    const sample = SAMPLES[round % SAMPLES.length]!;
    const outcome = outcomeOf(sample, mutate(Buffer.from(sample.text), MUTATORS, random));
    if (outcome === 'absent') absent.add(`${sample.target.kind} at ${sample.server}`);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  t.ok(outcomes.get('found')! > 1000);
  t.ok(outcomes.get('malformed')! > 100);
  // RIPE answers an unassigned AS with the block that contains it.
  t.same([...absent], ['asn at whois.ripe.net']);
  t.end();
});

t.test('512 kB of any text take linear time', (t) => {
  const texts = [
    'x',
    ' ',
    ':',
    '\n',
    '\t',
    '[',
    '-',
    '.',
    '%',
    '"',
    '9',
    'a:',
    ': ',
    'a\n',
    '\n ',
    ' a\n',
    'a. [',
    '# ',
    '>',
  ];
  // prettier-ignore
  const repeated = [
    'no match ',
    'example.com ',
    'Domain Name: ',
    'Registrar:\n',
    'status: a,',
    'nserver: a.b\n',
    'inetnum: ::/1\n',
    'created: 2026-01-02 ',
    'quota for ',
    'exceeded ',
    'netname: x\n',
    'refer: whois://',
    'person: x\n\n',
    'a: x\n\n',
    'holder-c: x\n\nnic-hdl: x\n\n', 'aut-num: AS1\n', 'registrant:\n x\n', '* ', '** ', '#\n',
  ];
  for (const piece of [...texts, ...repeated]) {
    const bytes = Buffer.from(piece.repeat(Math.floor((512 * 1024) / piece.length)));
    for (const sample of [DOMAIN_SAMPLES[0]!, NETWORK_SAMPLES[0]!]) {
      const start = performance.now();
      outcomeOf(sample, bytes);
      const ms = performance.now() - start;
      // About 100 ms on an idle machine. Non-linear time would take minutes.
      t.ok(ms < 5000, `${JSON.stringify(piece)} ${sample.target.kind} ${Math.round(ms)} ms`);
    }
  }
  t.end();
});

t.test('parses hosts and ranges from any text without an exception', (t) => {
  const random = new Random(7);
  const alphabet = '0123456789abcdef.:/-[]@%?# \u00e9xwhois';
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: random.below(24) }, () => alphabet[random.below(alphabet.length)]).join(
      '',
    );
    const host = parseWhoisHost(text, 43);
    if (host !== undefined && parseHostName(host) !== host) t.fail(`${text}: ${host}`);
    const range = parseAddressRange(text);
    if (range && range.start > range.end) t.fail(text);
  }
  t.end();
});
