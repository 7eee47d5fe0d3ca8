import t from 'tap';
import { linksOf } from './docs-links.js';

t.test('links between guides stay on the site, and links to other files are dropped', (t) => {
  const apiPathOf = (anchor: string): string => (anchor === 'get-ip' ? '/docs/api/own-ip' : '/docs/api');
  const link = linksOf('server/README.md', 'en', apiPathOf);
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['#start', '#start'],
    ['decisions.md#decision-7', '/docs/decisions?lang=en#decision-7'],
    ['../pipeline/README.md', '/docs/build?lang=en'],
    ['../pipeline/isp', '/docs/isp?lang=en'],
    ['api.md', '/docs/api?lang=en'],
    ['api.md#get-ip', '/docs/api/own-ip?lang=en#get-ip'],
    ['https://www.rfc-editor.org/rfc/rfc9110', 'https://www.rfc-editor.org/rfc/rfc9110'],
    ['http/route.ts', undefined],
    ['../pipeline/nights/ipatlas.env', undefined],
  ];
  for (const [href, to] of cases) t.equal(link(href), to, href);
  t.equal(linksOf('server/api.md', 'zh', apiPathOf)('#get-ip'), '/docs/api/own-ip?lang=zh#get-ip');
  t.end();
});
