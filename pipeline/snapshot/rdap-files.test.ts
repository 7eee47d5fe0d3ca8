import { readFileSync } from 'node:fs';
import t from 'tap';
import { acceptFile } from '../fetch/accept-file.js';
import { RDAP_FILES } from './rdap-files.js';

t.test('the bundled files pass the checks of downloads; smaller files fail', (t) => {
  for (const { name, download } of RDAP_FILES) {
    const text = readFileSync(new URL(`../../../fixtures/feeds/rdap/${name}`, import.meta.url), 'utf8');
    t.ok(text.length >= download!.minBytes, name);
    t.equal(download!.refuse?.(text), undefined, name);
    t.type(download!.refuse?.(text.slice(0, -10)), 'string', 'cut');
    t.type(download!.refuse?.('{"services":[[["com"],["https://rdap.example.com/"]]]}'), 'string', 'short');
  }
  t.end();
});

t.test('a download that is not a bootstrap file is rejected', async (t) => {
  const dir = t.testdir({ 'dns.json': JSON.stringify({ services: [] }) });
  const expected = {
    id: 'rdap/dns.json',
    container: 'plain',
    minBytes: 0,
    maxUnpackedBytes: 1_000_000,
    sha256: undefined,
  } as const;
  const { refuse } = RDAP_FILES[0]!.download!;
  await t.resolves(acceptFile(`${dir}/dns.json`, 15, expected));
  await t.rejects(acceptFile(`${dir}/dns.json`, 15, { ...expected, refuse }), { name: 'DownloadError' });
});
