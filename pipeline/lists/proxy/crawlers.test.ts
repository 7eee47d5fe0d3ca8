import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { refusalsOf } from '../../input/testing/refusals.js';
import { CRAWLERS } from './crawlers.js';

const GOOGLE = 'crawlers/googlebot.json';
const BING = 'crawlers/bingbot.json';
const GPT = 'crawlers/gptbot.json';
const FIXTURES = [
  'ccbot',
  'duckassistbot',
  'applebot',
  'bingbot',
  'duckduckbot',
  'googlebot',
  'gptbot',
  'searchbot',
].map((name) => `crawlers/${name}.json`);

t.test(
  'crawlers of search engines and of language models have different types, and their brands',
  async (t) => {
    const trial = await tryFiles(CRAWLERS, FIXTURES);
    t.same(trial.claimAt('66.249.64.31'), { type: 'SES', provider: 'Googlebot' });
    t.same(trial.claimAt('2001:4860:4801:10::1'), { type: 'SES', provider: 'Googlebot' });
    t.same(trial.claimAt('13.66.139.1'), { type: 'SES', provider: 'Bingbot' });
    t.same(trial.claimAt('17.241.208.160'), { type: 'SES', provider: 'Applebot' });
    t.same(trial.claimAt('52.230.152.1'), { type: 'AIC', provider: 'GPTBot' });
    t.same(trial.claimAt('20.42.10.180'), { type: 'AIC', provider: 'OAI-SearchBot' });
    t.same(trial.claimAt('2600:1f18:365:8000::1'), { type: 'AIC', provider: 'CCBot' });
    t.equal(trial.claimAt('8.8.8.8'), undefined);
  },
);

t.test('an address of two robots is the search engine’s, for any order of files', async (t) => {
  for (const files of [FIXTURES, FIXTURES.toReversed()]) {
    const trial = await tryFiles(CRAWLERS, files);
    t.same(trial.claimAt('20.43.150.85'), { type: 'SES', provider: 'DuckDuckBot' });
    t.same(trial.claimAt('20.44.222.1'), { type: 'AIC', provider: 'DuckAssistBot' });
    t.same(trial.tally('crawlers/duckassistbot.json').notes, { conflict: 1 });
  }
});

t.test('a zero-width space inside a prefix is ignored', async (t) => {
  const trial = await tryFiles(CRAWLERS, [BING]);
  t.same(trial.claimAt('20.43.120.31')?.provider, 'Bingbot');
  t.equal(trial.tally(BING).accepted, 5);
  t.equal(trial.tally(BING).rejected, 0);
});

t.test('an entry without a valid prefix is one rejected row', async (t) => {
  const trial = await tryContents(t, CRAWLERS, {
    [GPT]: JSON.stringify({
      creationTime: '2025-10-30T22:00:00.000000',
      prefixes: [
        { ipv4Prefix: '52.230.152.0/24', ipv6Prefix: '2603:1030::/48' },
        {},
        '52.230.153.0/24',
        { ipv4Prefix: 7 },
        { ipv4Prefix: '52.230.154.0/240' },
        { ipv6Prefix: 'fe80::/64' },
        { ipv4Prefix: '52.230.155.0/24', service: 'new' },
      ],
    }),
  });
  t.same(trial.tally(GPT).rejections.json?.count, 3);
  t.same(trial.rejections(GPT), ['address@5', 'json@2', 'json@3', 'json@4', 'reserved@6']);
  t.equal(trial.tally(GPT).accepted, 3, 'an entry with two prefixes is two rows');
  t.same(trial.claimAt('2603:1030::1')?.provider, 'GPTBot');
});

t.test('unusable documents are refused', async (t) => {
  const refusals = {
    '<html><body>not found</body></html>': 'container',
    'no JSON': 'container',
    '{"prefixes":[{"ipv4Prefix":"66.249.64.0/27"}': 'truncated',
    '{"prefixes":{}}': 'header',
    '[]': 'header',
    '{"prefixes":[{"ipv4Prefix":"0.0.0.0/0"}]}': 'too-wide',
    '{"prefixes":[{"ipv6Prefix":"2000::/3"}]}': 'too-wide',
  };
  for (const [content, refusal] of Object.entries(refusals)) {
    t.same(
      await refusalsOf(tryContents(t, CRAWLERS, { [GOOGLE]: content })),
      [`${GOOGLE} ${refusal}`],
      content,
    );
  }
  const bad = await tryContents(t, CRAWLERS, { [GOOGLE]: '{"prefixes":[1,2]}' });
  t.equal(bad.tally(GOOGLE).rejected, 2);
});

t.test('every document is downloaded from its operator', (t) => {
  for (const { name, download } of CRAWLERS.files) {
    t.match(download?.url, /^https:\/\/[a-z.]+\.(?:ai|com|org)\//, name);
    t.equal(download?.fallback?.saveAs ?? name, name);
  }
  t.end();
});
