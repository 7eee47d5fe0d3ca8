import t from 'tap';
import { conflictOfTerms, describeTerms, termsOfFile, type LicensedSource } from './dataset-terms.js';

const own: LicensedSource = { id: 'own', licence: { terms: 'free' } };
const dbip: LicensedSource = { id: 'dbip', licence: { terms: 'free', attribution: 'by DB-IP' } };
const qqwry: LicensedSource = { id: 'qqwry', licence: { terms: 'share-alike', attribution: 'by CZ88' } };
const ipapi: LicensedSource = { id: 'ipapi', licence: { terms: 'unstated' } };
const geolite2: LicensedSource = { id: 'geolite2', licence: { terms: 'closed', attribution: 'by MaxMind' } };

t.test('the strictest licence of a file is the licence of the file', (t) => {
  t.equal(termsOfFile([own, dbip]).terms, 'free');
  t.equal(termsOfFile([own, qqwry, dbip]).terms, 'share-alike');
  t.equal(termsOfFile([ipapi, qqwry]).terms, 'unstated');
  t.equal(termsOfFile([ipapi, geolite2, qqwry]).terms, 'closed');
  t.end();
});

t.test('each attribution line appears once', (t) => {
  t.same(termsOfFile([own, dbip, dbip, qqwry]).attributions, ['by DB-IP', 'by CZ88']);
  t.end();
});

t.test('closed and share-alike sources conflict', (t) => {
  t.equal(
    conflictOfTerms([own, geolite2, qqwry]),
    'geolite2 (no redistribution) and qqwry (share-alike) must not be combined in one file',
  );
  t.equal(conflictOfTerms([own, geolite2, dbip]), undefined);
  t.equal(conflictOfTerms([own, qqwry, dbip]), undefined);
  t.end();
});

t.test('a description has the terms and the attributions, in its language', (t) => {
  const text = { en: 'Places', 'zh-CN': '位置' };
  t.same(describeTerms(text, termsOfFile([dbip, qqwry])), {
    en: 'Places. Terms: may be redistributed with its attribution and under the same licence. Attribution: by DB-IP; by CZ88',
    'zh-CN': '位置。使用条款：注明来源并采用相同许可即可再分发。署名：by DB-IP; by CZ88',
  });
  t.match(describeTerms(text, termsOfFile([geolite2]))['en'], /must not be redistributed.*by MaxMind$/);
  t.match(describeTerms(text, termsOfFile([ipapi]))['en'], /must not be redistributed.*no licence$/);
  t.equal(
    describeTerms(text, termsOfFile([own]))['en'],
    'Places. Terms: may be redistributed with its attribution',
    'without attributions there is no such part',
  );
  t.end();
});
