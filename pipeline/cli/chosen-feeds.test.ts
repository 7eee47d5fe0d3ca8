import t from 'tap';
import { FEEDS } from '../feeds/catalogue.js';
import type { Terms } from '../input/published-source.js';
import { LISTS } from '../lists/catalogue.js';
import { ROUTING_SOURCES } from '../snapshot/routing-sources.js';
import { parseBuildFeeds, parseDatasetFeeds } from './chosen-feeds.js';

const termsOf = (id: string) => FEEDS.find((feed) => feed.id === id)?.licence.terms;
const isFeed = (id: string) => FEEDS.some((feed) => feed.id === id);
const feedsOf = (text: string) => parseDatasetFeeds(text).filter(isFeed);
const othersOf = (text: string) => parseDatasetFeeds(text).filter((id) => !isFeed(id));
const idsWith = (terms: Terms) =>
  [...FEEDS, ...ROUTING_SOURCES, ...LISTS]
    .filter(({ licence }) => licence.terms === terms)
    .map(({ id }) => id);

t.test('by default only sources under licences that require at most attribution are used', (t) => {
  const chosen = parseDatasetFeeds('');
  t.same(chosen, idsWith('free'));
  t.ok(chosen.length > 0 && chosen.length < FEEDS.length + ROUTING_SOURCES.length + LISTS.length);
  t.same(parseDatasetFeeds(' '), chosen);
  t.end();
});

t.test('named feeds are used, without duplicates and in the order of the catalogue', (t) => {
  t.same(feedsOf('dbip'), ['dbip']);
  t.same(feedsOf(' qqwry, own ,dbip,own'), ['own', 'dbip', 'qqwry']);
  t.same(feedsOf(idsWith('closed').join(',')), ['geolite2'], 'for an operator with a licence');
  t.end();
});

t.test('free lists and sources are always included, others when named', (t) => {
  const free = othersOf('');
  t.same(free, othersOf('dbip'));
  t.ok(free.includes('x4bnet') && free.includes('rib'));
  t.notOk(free.includes('mullvad') || free.includes('peeringdb'));
  t.same(othersOf('mullvad,peeringdb').sort(), [...free, 'mullvad', 'peeringdb'].sort());
  t.same(feedsOf('mullvad'), feedsOf(''), 'no feed is named, so the default feeds are used');
  t.end();
});

t.test('an id after a minus is left out, whatever its licence', (t) => {
  const without = (ids: readonly string[], id: string) => ids.filter((one) => one !== id);
  t.same(parseDatasetFeeds('-x4bnet'), without(parseDatasetFeeds(''), 'x4bnet'));
  t.same(parseDatasetFeeds('dbip, -x4bnet'), without(parseDatasetFeeds('dbip'), 'x4bnet'));
  t.same(parseDatasetFeeds('-own'), without(parseDatasetFeeds(''), 'own'));
  t.same(parseDatasetFeeds('-mullvad'), parseDatasetFeeds(''), 'it was not included');
  t.throws(() => parseDatasetFeeds('-x4b'), {
    name: 'UsageError',
    message: /unknown id "x4b": expected own, /,
  });
  t.throws(() => parseDatasetFeeds('x4bnet,-x4bnet'), {
    name: 'UsageError',
    message: 'invalid DATASET_FEEDS: "x4bnet" is both named and left out',
  });
  t.throws(() => parseBuildFeeds('own,-x4bnet'), { name: 'UsageError', message: /unknown id "-x4bnet"/ });
  t.end();
});

t.test('own allow and deny lists go into downloads only when named', (t) => {
  t.notOk(parseDatasetFeeds('').includes('operator-lists'));
  t.ok(parseDatasetFeeds('operator-lists').includes('operator-lists'));
  t.throws(() => parseDatasetFeeds('operator-lists,ip2proxy'), { message: /operator-lists .* ip2proxy/ });
  t.end();
});

t.test('an unknown id is a usage error that names it and the known ids', (t) => {
  const known = [...FEEDS, ...ROUTING_SOURCES, ...LISTS].map(({ id }) => id).join(', ');
  t.throws(() => parseDatasetFeeds('own,geolite,maxmind'), {
    name: 'UsageError',
    message: `invalid DATASET_FEEDS: unknown id "geolite", "maxmind": expected ${known}`,
  });
  t.throws(() => parseDatasetFeeds('own,'), { name: 'UsageError', message: /unknown id ""/ });
  t.throws(() => parseDatasetFeeds('OWN'), { name: 'UsageError' });
  t.end();
});

t.test('closed and share-alike licences in one file are a usage error', (t) => {
  t.same([termsOf('geolite2'), termsOf('qqwry')], ['closed', 'share-alike']);
  t.throws(() => parseDatasetFeeds('own,geolite2,qqwry'), {
    name: 'UsageError',
    message: /^invalid DATASET_FEEDS: geolite2 .* and qqwry .* must not be combined in one file$/,
  });
  t.doesNotThrow(() => parseDatasetFeeds('own,dbip,geolite2'));
  t.doesNotThrow(() => parseDatasetFeeds('own,dbip,qqwry'));
  t.end();
});

t.test('by default all sources are used, otherwise only the named ones', (t) => {
  const all = {
    feeds: FEEDS.map(({ id }) => id),
    sources: ROUTING_SOURCES.map(({ id }) => id),
    lists: LISTS.map(({ id }) => id),
  };
  t.same(parseBuildFeeds(''), all);
  t.same(parseBuildFeeds('geolite2, own'), { feeds: ['own', 'geolite2'], sources: [], lists: [] });
  t.same(parseBuildFeeds('rpki,own'), { feeds: ['own'], sources: ['rpki'], lists: [] });
  t.same(parseBuildFeeds('rib,own').sources, ['rib', 'iana'], 'a routing table may announce reserved space');
  t.end();
});

t.test('an unknown id, and a choice without a feed, are usage errors', (t) => {
  t.throws(() => parseBuildFeeds('own,maxmind'), {
    name: 'UsageError',
    message: /^invalid BUILD_FEEDS: unknown id/,
  });
  const ids = ROUTING_SOURCES.map(({ id }) => id).join(',');
  if (ids !== '') t.throws(() => parseBuildFeeds(ids), { name: 'UsageError', message: /at least one/ });
  t.end();
});

t.test('lists share a file with names of ISPs and networks only', (t) => {
  const shared = idsWith('share-alike').filter((id) => LISTS.some((list) => list.id === id));
  for (const id of shared) {
    t.throws(() => parseDatasetFeeds(`peeringdb,${id}`), {
      name: 'UsageError',
      message: /^invalid DATASET_FEEDS: peeringdb .* must not be combined in one file$/,
    });
    t.doesNotThrow(() => parseDatasetFeeds(`geolite2,${id}`), 'it has no ISP names');
  }
  t.throws(() => parseDatasetFeeds('peeringdb,qqwry'), { name: 'UsageError', message: /peeringdb .* qqwry/ });
  t.end();
});
