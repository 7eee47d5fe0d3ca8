import t from 'tap';
import { readReference } from './api-pages.js';
import { guidePage } from './guide-page.js';
import { GUIDES } from './guides.js';

t.test('a guide has one list of contents: that of the site', (t) => {
  const reference = readReference();
  for (const guide of GUIDES) {
    const { body } = guidePage(guide, reference, 'en');
    t.notMatch(body.text, /<ul>\s*<li><a href="#[^"]*">[^<]*<\/a><\/li>/, guide.file);
  }
  t.end();
});

t.test('a list of links that says more than the headings stays', (t) => {
  const decisions = GUIDES.find(({ file }) => file === 'server/decisions.md')!;
  t.match(guidePage(decisions, readReference(), 'en').body.text, /<li><a href="#targets">Targets<\/a>: 16/);
  t.end();
});
