import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { AWS } from '../lists/cloud/aws.js';
import { CLOUDFLARE } from '../lists/cloud/cloudflare.js';
import { DIGITALOCEAN } from '../lists/cloud/digitalocean.js';
import { FASTLY } from '../lists/cloud/fastly.js';
import { GCP } from '../lists/cloud/gcp.js';
import { GITHUB } from '../lists/cloud/github.js';
import { LINODE } from '../lists/cloud/linode.js';
import { ORACLE } from '../lists/cloud/oracle.js';
import { VULTR } from '../lists/cloud/vultr.js';
import { ZSCALER } from '../lists/cloud/zscaler.js';
import { downloadAll } from './download-all.js';
import { planDownloads } from './download-plan.js';
import { Mirror } from './mirror.js';
import { serveFile, startPublisher, TEST_LIMITS } from './testing/publisher.js';

const LISTS = [AWS, GCP, ORACLE, CLOUDFLARE, FASTLY, DIGITALOCEAN, LINODE, VULTR, GITHUB, ZSCALER];
const FILES = LISTS.flatMap(({ files }) => files);
const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** Redirects of publishers, by requested path. */
const REDIRECTED = new Map([
  ['/digitalocean.com/geo/google.csv', '/www.digitalocean.com/geo/google.csv'],
  ['/www.cloudflare.com/ips-v4', '/www.cloudflare.com/ips-v4/'],
]);

t.test('the files of clouds are stored under their declared names, whatever their URLs', async (t) => {
  const served = new Map(
    FILES.map(({ name, download }) => {
      const path = download!.url.replace('https:/', '');
      return [REDIRECTED.get(path) ?? path, readFileSync(join(FIXTURES, 'cloud', name))];
    }),
  );
  const server = await startPublisher(t, (request, response) => {
    const location = REDIRECTED.get(request.url!);
    const body = served.get(request.url!);
    // GitHub's API refuses requests without a User-Agent.
    if (request.headers['user-agent'] === undefined) response.writeHead(403).end();
    else if (location !== undefined) response.writeHead(301, { Location: location }).end();
    else if (body === undefined) response.writeHead(404).end();
    else serveFile(body)(request, response);
  });
  const dir = t.testdir();
  const results = await downloadAll(planDownloads(FILES), {
    dir,
    since: new Date(8.64e15),
    limits: TEST_LIMITS,
    mirror: new Mirror(server.url),
    acceptSmall: true,
    readVariable: () => undefined,
    now: () => new Date(),
  });
  t.same(
    results.map(({ file, outcome }) => `${outcome} ${file}`),
    FILES.map(({ name }) => `downloaded cloud/${name}`),
  );
  for (const { name } of FILES) {
    const path = join('cloud', name);
    t.ok(readFileSync(join(dir, path)).equals(readFileSync(join(FIXTURES, path))), name);
  }
});
