import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { build, copyOutput, outputFolder, PROJECT, served } from '../cli/testing/command-line.js';
import { currentLink } from '../release/release-store.js';
import { checkOutput } from './check-output.js';
import { countryOf, writeFeeds } from './input-feeds.js';

const NIGHT = 3;
const FEEDS = t.testdir();
writeFeeds(join(PROJECT, 'fixtures/feeds'), FEEDS, NIGHT);
const WHOLE = outputFolder(t);
await build(t, { FEEDS, OUTPUT: WHOLE, BUILD_FEEDS: 'own' });
const countries = [countryOf(NIGHT)];

t.test('a whole release with the country of its night is sound', async (t) => {
  const { id } = await served(WHOLE);
  t.same(await checkOutput(WHOLE, { countries, releases: 1 }), {
    id,
    country: countryOf(NIGHT),
    problems: [],
  });
});

t.test('one changed byte is a problem', async (t) => {
  const output = copyOutput(t, WHOLE);
  const path = join(currentLink(output), 'geo.mmdb');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  const { problems } = await checkOutput(output, { countries: [], releases: 0 });
  t.match(problems, [/^release .*geo\.mmdb: has sha256 /]);
});

t.test('a missing link is a problem once there was a release', async (t) => {
  const output = copyOutput(t, WHOLE);
  rmSync(currentLink(output));
  t.same((await checkOutput(output, { countries, releases: 1 })).problems, [
    'current is absent, which is no release',
  ]);
  t.same((await checkOutput(output, { countries: [], releases: 1 })).problems, []);
});

t.test('a missing release is a problem', async (t) => {
  t.same((await checkOutput(WHOLE, { countries, releases: 2 })).problems, [
    '1 whole releases; expected at least 2',
  ]);
});

t.test('the release of another night is a problem', async (t) => {
  const { problems } = await checkOutput(WHOLE, { countries: [countryOf(NIGHT + 1)], releases: 1 });
  t.match(problems, [/^current .* has 9\.9\.9\.9 in JP; expected BR$/]);
});
