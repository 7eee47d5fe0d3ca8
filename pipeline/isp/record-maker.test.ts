import t from 'tap';
import { decideListings } from './decide-listings.js';
import type { Listing } from './listings.js';
import { announcerClass, withoutNames } from './record-maker.js';
import { anyAnnouncer, anyListings, random } from './testing/any-listings.js';
import { listing } from './testing/listings.js';
import { UNKNOWN_ANNOUNCER, type Announcer } from './usage-type.js';

const TRIALS = 10_000;
const UNKNOWN = UNKNOWN_ANNOUNCER;

function decided(listings: readonly Listing[], announcer: Announcer): string {
  return JSON.stringify(decideListings(listings, announcer));
}

t.test('announcers of one class lead to the same decision', (t) => {
  const next = random(5);
  const first = new Map<string, Announcer>();
  let [shared, different] = [0, 0];
  for (let i = 0; i < TRIALS; i++) {
    const [listings, announcer] = [anyListings(next), anyAnnouncer(next)];
    const key = announcerClass(announcer);
    const other = first.get(key) ?? announcer;
    first.set(key, other);
    const [decision, expected] = [decided(listings, other), decided(listings, announcer)];
    if (decision !== expected) t.equal(decision, expected, JSON.stringify({ announcer, other, listings }));
    if (other.asn !== announcer.asn) shared++;
    if (decided(listings, UNKNOWN) !== expected) different++;
  }
  t.ok(shared > TRIALS / 10, `another announcer of the class was used ${shared} times`);
  t.ok(different > TRIALS / 100, `the announcer made a difference ${different} times`);
  t.end();
});

t.test('decisions do not depend on the names in claims', (t) => {
  const next = random(6);
  let [shortened, different] = [0, 0];
  for (let i = 0; i < TRIALS; i++) {
    const [listings, announcer] = [anyListings(next), anyAnnouncer(next)];
    const nameless = listings.map((listing) => ({ ...listing, claim: withoutNames(listing.claim) }));
    const [decision, expected] = [decided(nameless, announcer), decided(listings, announcer)];
    if (decision !== expected) t.equal(decision, expected, JSON.stringify({ announcer, listings }));
    if (JSON.stringify(nameless) !== JSON.stringify(listings)) shortened++;
    if (decided(nameless.slice(1), announcer) !== expected) different++;
  }
  t.ok(shortened > TRIALS / 10, `names were removed ${shortened} times`);
  t.ok(different > TRIALS / 10, `listings made a difference ${different} times`);
  t.end();
});

t.test('a class is the use of the network, with the AS where brands rent hosting', (t) => {
  const carrier = { usage: 'ISP', isAccess: false };
  t.equal(announcerClass({ asn: 9009, ...carrier }), 'AS9009 ISP');
  t.equal(announcerClass({ asn: 4134, ...carrier }), 'ISP');
  t.equal(announcerClass({ asn: 4134, usage: 'ISP', isAccess: true }), 'ISP access');
  t.equal(announcerClass({ asn: 4134, usage: undefined, isAccess: false }), announcerClass(UNKNOWN));
  t.end();
});

t.test('names do not change the order of two listings of one list and day', (t) => {
  const listings = (first: string, second: string): Listing[] => [
    listing('spamhaus', { isp: first, type: 'VPN', provider: 'Oxylabs' }),
    listing('spamhaus', { isp: second, type: 'VPN', provider: 'Webshare' }),
  ];
  t.equal(decided(listings('A', 'B'), UNKNOWN), decided(listings('B', 'A'), UNKNOWN));
  t.end();
});
