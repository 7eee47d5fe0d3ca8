import t from 'tap';
import { FEEDS } from '../feeds/catalogue.js';
import type { Terms } from '../feeds/feed.js';
import { LISTS } from '../stages/lists.js';
import { ROUTING_SOURCES } from '../stages/routing-sources.js';
import { parseBuildFeeds, parseDatasetFeeds } from './chosen-feeds.js';

const termsOf = (id: string) => FEEDS.find((feed) => feed.id === id)?.licence.terms;
const isFeed = (id: string) => FEEDS.some((feed) => feed.id === id);
const feedsOf = (text: string) => parseDatasetFeeds(text).filter(isFeed);
const othersOf = (text: string) => parseDatasetFeeds(text).filter((id) => !isFeed(id));
const idsWith = (terms: Terms) =>
  [...FEEDS, ...ROUTING_SOURCES, ...LISTS]
    .filter(({ licence }) => licence.terms === terms)
    .map(({ id }) => id);

t.test('without a choice, only feeds whose licences ask for no more than attribution are taken', (t) => {
  const chosen = parseDatasetFeeds('');
  t.same(chosen, idsWith('free'));
  t.ok(chosen.length > 0 && chosen.length < FEEDS.length + ROUTING_SOURCES.length + LISTS.length);
  t.same(parseDatasetFeeds(' '), chosen);
  t.end();
});

t.test('a choice of feeds is taken as it is, once each and in the order of the catalogue', (t) => {
  t.same(feedsOf('dbip'), ['dbip']);
  t.same(feedsOf(' qqwry, own ,dbip,own'), ['own', 'dbip', 'qqwry']);
  t.same(feedsOf(idsWith('closed').join(',')), ['geolite2'], 'whoever has a licence of his own');
  t.end();
});

t.test('lists and sources that are free go in whoever is named, the others when they are', (t) => {
  const free = othersOf('');
  t.same(free, othersOf('dbip'));
  t.ok(free.includes('x4bnet') && free.includes('rib'));
  t.notOk(free.includes('mullvad') || free.includes('peeringdb'));
  t.same(othersOf('mullvad,peeringdb').sort(), [...free, 'mullvad', 'peeringdb'].sort());
  t.same(feedsOf('mullvad'), feedsOf(''), 'no feed is named, so the feeds are as ever');
  t.end();
});

t.test('an id behind a minus stays out, whatever its licence', (t) => {
  const without = (ids: readonly string[], id: string) => ids.filter((one) => one !== id);
  t.same(parseDatasetFeeds('-x4bnet'), without(parseDatasetFeeds(''), 'x4bnet'));
  t.same(parseDatasetFeeds('dbip, -x4bnet'), without(parseDatasetFeeds('dbip'), 'x4bnet'));
  t.same(parseDatasetFeeds('-own'), without(parseDatasetFeeds(''), 'own'));
  t.same(parseDatasetFeeds('-mullvad'), parseDatasetFeeds(''), 'it was not in');
  t.throws(() => parseDatasetFeeds('-x4b'), {
    name: 'UsageError',
    message: /no feed "x4b"; there are own, /,
  });
  t.throws(() => parseDatasetFeeds('x4bnet,-x4bnet'), {
    name: 'UsageError',
    message: 'DATASET_FEEDS: "x4bnet" cannot both go in and stay out',
  });
  t.throws(() => parseBuildFeeds('own,-x4bnet'), { name: 'UsageError', message: /no feed "-x4bnet"/ });
  t.end();
});

t.test('what an operator says himself goes into no download unless he names it', (t) => {
  t.notOk(parseDatasetFeeds('').includes('operator-lists'));
  t.ok(parseDatasetFeeds('operator-lists').includes('operator-lists'));
  t.throws(() => parseDatasetFeeds('operator-lists,ip2proxy'), { message: /operator-lists .* ip2proxy/ });
  t.end();
});

t.test('an id that no feed has is a usage error that names it and those there are', (t) => {
  const known = [...FEEDS, ...ROUTING_SOURCES, ...LISTS].map(({ id }) => id).join(', ');
  t.throws(() => parseDatasetFeeds('own,geolite,maxmind'), {
    name: 'UsageError',
    message: `DATASET_FEEDS: there is no feed "geolite", "maxmind"; there are ${known}`,
  });
  t.throws(() => parseDatasetFeeds('own,'), { name: 'UsageError', message: /no feed ""/ });
  t.throws(() => parseDatasetFeeds('OWN'), { name: 'UsageError' });
  t.end();
});

t.test('closed and share-alike licences in one file are a usage error', (t) => {
  t.same([termsOf('geolite2'), termsOf('qqwry')], ['closed', 'share-alike']);
  t.throws(() => parseDatasetFeeds('own,geolite2,qqwry'), {
    name: 'UsageError',
    message: /^DATASET_FEEDS: geolite2 .* and qqwry .* may not go into one file$/,
  });
  t.doesNotThrow(() => parseDatasetFeeds('own,dbip,geolite2'));
  t.doesNotThrow(() => parseDatasetFeeds('own,dbip,qqwry'));
  t.end();
});

t.test('without a choice all is built, a choice is all that is built', (t) => {
  const all = {
    feeds: FEEDS.map(({ id }) => id),
    sources: ROUTING_SOURCES.map(({ id }) => id),
    lists: LISTS.map(({ id }) => id),
  };
  t.same(parseBuildFeeds(''), all);
  t.same(parseBuildFeeds('geolite2, own'), { feeds: ['own', 'geolite2'], sources: [], lists: [] });
  const [source] = all.sources;
  if (source !== undefined)
    t.same(parseBuildFeeds(`${source},own`), { feeds: ['own'], sources: [source], lists: [] });
  t.end();
});

t.test('an unknown id, and a choice without a feed, are usage errors', (t) => {
  t.throws(() => parseBuildFeeds('own,maxmind'), {
    name: 'UsageError',
    message: /^BUILD_FEEDS: there is no/,
  });
  const ids = ROUTING_SOURCES.map(({ id }) => id).join(',');
  if (ids !== '') t.throws(() => parseBuildFeeds(ids), { name: 'UsageError', message: /at least one/ });
  t.end();
});

t.test('lists go into one file with the names of ISPs and networks, and with nothing else', (t) => {
  const shared = idsWith('share-alike').filter((id) => LISTS.some((list) => list.id === id));
  for (const id of shared) {
    t.throws(() => parseDatasetFeeds(`peeringdb,${id}`), {
      name: 'UsageError',
      message: /^DATASET_FEEDS: peeringdb .* may not go into one file$/,
    });
    t.doesNotThrow(() => parseDatasetFeeds(`geolite2,${id}`), 'it names no ISPs');
  }
  t.throws(() => parseDatasetFeeds('peeringdb,qqwry'), { name: 'UsageError', message: /peeringdb .* qqwry/ });
  t.end();
});
