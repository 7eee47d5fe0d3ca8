import t from 'tap';
import type { ListClaim } from '../lists/list-claim.js';
import { listing } from './testing/listings.js';
import type { Listing } from './listings.js';
import { rankListings, rowOf, TYPE_PRECEDENCE } from './proxy-type.js';

/** A listing and the type that it counts as. */
interface TypedListing {
  readonly listing: Listing;
  readonly type: string;
}

const typed = (list: string, type: string, claim: ListClaim = {}, ages = {}): TypedListing => ({
  listing: listing(list, { ...claim, type }, ages),
  type,
});
const commercial = { evidence: 'commercial' } as const;

t.test('rows are in the order of their ranks, and the last one matches every listing', (t) => {
  t.same(
    TYPE_PRECEDENCE.map(({ rank }) => rank),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  t.same(TYPE_PRECEDENCE.at(-1), { rank: 12 });
  t.end();
});

t.test('every listing matches its row', (t) => {
  const table: [number, TypedListing][] = [
    [0, typed('operator-lists', 'VPN', { isOwn: true })],
    [0, typed('operator-lists', 'DCH', { isOwn: true })],
    [1, typed('tor', 'TOR')],
    [1, typed('ip2proxy', 'TOR', commercial)],
    ...['VPN', 'PUB', 'WEB', 'RES', 'CPN', 'EPN'].map((type): [number, TypedListing] => [
      2,
      typed('ip2proxy', type, commercial, { copyAgeDays: 29, ageDays: 45 }),
    ]),
    [3, typed('mullvad', 'VPN')],
    [3, typed('nordvpn', 'VPN')],
    [3, typed('proton', 'VPN')],
    [3, typed('ip2proxy', 'VPN', commercial, { copyAgeDays: 30 })],
    [3, typed('ip2proxy', 'VPN')],
    [4, typed('apple-relay', 'CPN')],
    [4, typed('ip2proxy', 'CPN')],
    [5, typed('zscaler', 'EPN')],
    [5, typed('ip2proxy', 'EPN')],
    [6, typed('open-proxies', 'RES')],
    [6, typed('ip2proxy', 'RES')],
    [7, typed('open-proxies', 'PUB')],
    [7, typed('ip2proxy', 'PUB')],
    [8, typed('ip2proxy', 'WEB')],
    [9, typed('crawlers', 'SES')],
    [9, typed('crawlers', 'AIC')],
    [9, typed('ip2proxy', 'SES', commercial)],
    [10, typed('x4bnet', 'VPN')],
    [11, typed('x4bnet', 'DCH')],
    [11, typed('ip2proxy', 'DCH', commercial)],
    [12, typed('some-list', 'VPN')],
    [12, typed('ip2proxy', 'XYZ', commercial)],
  ];
  for (const [rank, { listing, type }] of table) {
    t.equal(rowOf(listing, type).rank, rank, `${listing.list} ${type} ${listing.claim.evidence ?? ''}`);
  }
  t.end();
});

t.test('within a row the later sighting wins, then the first list of the row', (t) => {
  const order = (...listings: TypedListing[]) =>
    rankListings(listings.map((typed) => ({ ...typed, drop: undefined }))).map(
      ({ listing }) => `${listing.list} ${listing.ageDays}`,
    );
  const vpn = (list: string, ageDays: number) => typed(list, 'VPN', {}, { ageDays });
  t.same(order(vpn('ip2proxy', 3), vpn('proton', 3), vpn('mullvad', 9), vpn('nordvpn', 3)), [
    'nordvpn 3',
    'proton 3',
    'ip2proxy 3',
    'mullvad 9',
  ]);
  t.same(order(typed('open-proxies', 'PUB', {}, { ageDays: 0 }), vpn('proton', 20)), [
    'proton 20',
    'open-proxies 0',
  ]);
  t.end();
});
