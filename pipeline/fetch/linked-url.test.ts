import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { AZURE } from '../lists/cloud/azure.js';
import { DownloadError } from './download-error.js';
import { parseLink } from './linked-url.js';
import { Mirror } from './mirror.js';
import { serveFile, startPublisher, TEST_LIMITS, tryDownload } from './testing/publisher.js';

const [{ name, download }] = [AZURE.files[0]!];
const PAGE = '/www.microsoft.com/en-us/download/details.aspx?id=56519';
const AT = 'https://download.microsoft.com/download/7/1/d/71d86715-5596-4529-9b13-da13a5de5b63';
const OLD = `${AT}/ServiceTags_Public_20261109.json`;
const NEW = `${AT}/ServiceTags_Public_20261116.json`;
const TAGS = '{"values":[]}';

function pageWith(...links: readonly string[]): string {
  const anchors = links.map((link) => `<a href="${link}">Download</a>`);
  return `<!doctype html><html><head>${' '.repeat(5_000)}</head><body>${anchors.join('\n')}</body></html>`;
}

/** Starts a mirror, and returns functions that set its pages and download Azure's file. */
async function publish(t: Test) {
  const dir = t.testdir();
  const served = new Map<string, string>();
  const server = await startPublisher(t, (request, response) => {
    const text = served.get(request.url!);
    if (text === undefined) response.writeHead(404).end();
    else serveFile(text, `"${text.length}"`)(request, response);
  });
  const mirror = new Mirror(server.url);
  const context = { mirror, acceptSmall: true, limits: { ...TEST_LIMITS, tries: 1 } };
  const serve = (url: string, text: string) => served.set(url.replace('https:/', ''), text);
  return {
    serve,
    page: (...links: readonly string[]) => served.set(PAGE, pageWith(...links)),
    server,
    night: () => tryDownload({ dir, name, download: download!, context }),
    kept: () => readdirSync(join(dir, 'feed')),
  };
}

t.test('a file is found by the link on its page, and again when the link changes', async (t) => {
  const { serve, page, night, kept, server } = await publish(t);
  serve(OLD, TAGS);
  serve(NEW, `${TAGS}\n`);
  page(OLD, OLD);
  t.match(await night(), { outcome: 'downloaded', file: 'feed/ServiceTags_Public_20261109.json' });
  t.match(await night(), { outcome: 'unchanged' });
  t.equal(server.asked.at(-1)?.headers['if-none-match'], `"${TAGS.length}"`);
  page(NEW, OLD);
  t.match(await night(), { outcome: 'downloaded', file: 'feed/ServiceTags_Public_20261116.json' });
  t.same(kept(), ['ServiceTags_Public_20261116.json'], 'the old file is removed');
});

t.test('a page without a link to the file leaves the last good copy', async (t) => {
  const { serve, page, night, kept } = await publish(t);
  serve(OLD, TAGS);
  t.match(await night(), { outcome: 'failed', failure: 'http', text: /details\.aspx/ }, 'no page');
  page(OLD);
  await night();
  for (const link of [
    '/download/ServiceTags_Public_20261116.json',
    `${AT}/ServiceTags_AzureGovernment_20261116.json`,
    'https://example.org/ServiceTags_Public_20261116.json',
    'http://download.microsoft.com/download/ServiceTags_Public_20261116.json',
    'https://download.microsoft.com@example.org/download/x/ServiceTags_Public_20261116.json',
  ]) {
    page(link);
    const failed = { outcome: 'failed', failure: 'name', text: 'the page has no link to the file' };
    t.match(await night(), { ...failed, copy: { name: 'ServiceTags_Public_20261109.json' } }, link);
  }
  page(NEW);
  t.match(await night(), { outcome: 'failed', failure: 'http', text: /20261116\.json/ }, 'a dead link');
  t.same(kept(), ['ServiceTags_Public_20261109.json']);
});

t.test('of several links the last by file name is used, wherever it is in the page', (t) => {
  const link = /https:\/\/x\.org\/[\w/]+_\d+\.json/;
  const page = 'https://x.org/z/a_1.json https://x.org/b/a_3.json "https://x.org/y/a_2.json"';
  t.equal(parseLink(page, link), 'https://x.org/b/a_3.json');
  t.throws(() => parseLink('https://x.org/a.json', link), DownloadError);
  t.end();
});
