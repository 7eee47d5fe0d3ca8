import { join } from 'node:path';
import t from 'tap';
import type { ManifestEdition } from '../../pipeline/release/contract.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { copyRelease, damageFile, editManifest } from '../testing/damage.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { loadRelease } from './load-release.js';

const ID = '20300101T000000Z-0123456789ab';
const outputDir = t.testdir();
await publishSmallRelease(outputDir);
const { dir } = (await currentRelease(outputDir))!;

t.test(
  'the licences of a dataset are those of its sources, without inputs that only the API uses',
  async (t) => {
    const { datasets } = await loadRelease(dir);
    const { origin, type, editions } = datasets.get('isp')!;
    t.equal(type, 'ipatlas-ISP', 'without the compatible types');
    t.same([...editions.keys()], ['ipatlas-ISP', 'GeoIP2-ISP', 'GeoIP2-Anonymous-IP']);
    t.same(
      origin.licences.map(({ source, name }) => [source, name]),
      [['own', 'CC0']],
    );
    t.same(origin.served?.furtherSources, ['dbip']);
  },
);

t.test('a release whose edition does not fit its file is refused', async (t) => {
  const changes: readonly ((edition: ManifestEdition) => ManifestEdition)[] = [
    (edition) => ({ ...edition, bodyBytes: edition.bodyBytes + 1 }),
    ({ whole, ...edition }) => {
      const bodyBytes = 1 << 30;
      return { ...edition, bodyBytes, whole: { ...whole, sizeBytes: bodyBytes + edition.sizeBytes } };
    },
    ({ whole, ...edition }) => ({ ...edition, whole: { ...whole, sizeBytes: 7 } }),
  ];
  for (const change of changes) {
    const copy = await copyRelease(dir, ID);
    await editManifest(copy, ({ editions = [], ...manifest }) => ({
      ...manifest,
      editions: editions.map((edition, at) => (at === 0 ? change(edition) : edition)),
    }));
    await t.rejects(loadRelease(copy), {
      ...{ name: 'ReleaseRefused', file: 'editions/geo-geolite2-city.metadata' },
      reason: / are not \d+$/,
    });
  }
});

t.test('a release with a damaged edition is refused', async (t) => {
  const copy = await copyRelease(dir, ID);
  damageFile(join(copy, 'editions/isp-geoip2-isp.metadata'), (bytes) => bytes.fill(0, 30, 31));
  await t.rejects(loadRelease(copy), { name: 'ReleaseRefused', file: 'editions/isp-geoip2-isp.metadata' });
});
