import t from 'tap';
import { HOSTING_NETWORKS } from '../lists/cloud/hosting-networks.js';
import type { AsSpace } from './as-space.js';
import type { Origin } from './isp-inputs.js';
import { networkUses, useOfAs, votedUsage, type NetworkUse } from './network-use.js';
import { listOf, originsOf } from './testing/isp-inputs.js';

const space = (about: Partial<AsSpace> = {}): AsSpace => ({
  addresses: 2 ** 20,
  dataCentreShare: 0,
  votes: [0, 0, 0, 0],
  ...about,
});
const use = (origin: Partial<Origin>, networkType?: string, about?: Partial<AsSpace>): NetworkUse =>
  useOfAs({ origin: { asn: 64_496, ...origin }, networkType, space: space(about) });

const UNKNOWN = { usage: undefined, isAccess: false };

t.test('PeeringDB’s types have usage types, and one of them connects subscribers', (t) => {
  const table: [type: string, usage: string | undefined, isAccess: boolean][] = [
    ['Cable/DSL/ISP', 'ISP', true],
    ['NSP', 'ISP', false],
    ['Educational/Research', 'EDU', false],
    ['Government', 'GOV', false],
    ['Enterprise', 'COM', false],
    ['Non-Profit', 'ORG', false],
    ['Content', undefined, false],
    ['Network Services', undefined, false],
    ['Route Server', undefined, false],
    ['Route Collector', undefined, false],
    ['Not Disclosed', undefined, false],
    ['', undefined, false],
  ];
  for (const [type, usage, isAccess] of table)
    t.same(use({ name: 'EXAMPLE' }, type), { usage, isAccess }, type);
  t.end();
});

t.test('names decide only where PeeringDB has no type; those of mobile carriers refine its ISP', (t) => {
  const telecom = { name: 'EXAMPLE', organisation: 'Example Telecom' };
  const mobile = { name: 'EXAMPLE', organisation: 'Example Mobile' };
  t.same(use(telecom), { usage: 'ISP', isAccess: true });
  t.same(use(telecom, 'Not Disclosed'), { usage: 'ISP', isAccess: true });
  for (const type of ['Content', 'Network Services', 'Route Server'])
    t.same(use(telecom, type), UNKNOWN, type);
  t.same(use(telecom, 'Enterprise'), { usage: 'COM', isAccess: false });
  for (const type of [undefined, 'NSP', 'Cable/DSL/ISP']) {
    t.same(use(mobile, type), { usage: 'MOB', isAccess: true }, String(type));
  }
  t.same(use(mobile, 'Educational/Research'), { usage: 'EDU', isAccess: false });
  t.same(use({ organisation: 'University of Example' }), { usage: 'EDU', isAccess: false });
  t.end();
});

t.test('backbones in the table of carriers have a usage type, but also connect data centres', (t) => {
  t.same(use({ asn: 4134, name: 'CHINANET-BACKBONE' }), { usage: 'ISP', isAccess: false });
  t.same(use({ asn: 4538, name: 'ERX-CERNET-BKB' }), { usage: 'EDU', isAccess: false });
  t.end();
});

t.test('usages that a list states for the networks of an AS rank above its type', (t) => {
  const stated = (votes: number[]): Partial<AsSpace> => ({ votes });
  t.same(use({}, 'NSP', stated([0, 0, 9, 1])), { usage: 'MOB', isAccess: true });
  t.same(use({}, undefined, stated([1, 8, 0, 0])), { usage: 'ISP/MOB', isAccess: true });
  t.same(use({}, 'Content', stated([0, 8, 0, 1])), { usage: 'ISP/MOB', isAccess: true });
  t.same(use({}, 'Enterprise', stated([0, 8, 0, 0])), { usage: 'COM', isAccess: false });
  t.same(use({}, 'NSP', stated([4, 4, 0, 0])), { usage: 'ISP', isAccess: true }, 'none prevails');
  t.same(use({}, undefined, stated([4, 4, 0, 0])), { usage: 'ISP', isAccess: true });
  t.end();
});

t.test('votes need two networks, half of all networks, and one usage that prevails', (t) => {
  const table: [votes: number[], usage: string | undefined][] = [
    [[0, 0, 0, 0], undefined],
    [[1, 0, 0, 0], undefined],
    [[2, 0, 0, 0], 'ISP'],
    [[0, 2, 0, 2], 'ISP/MOB'],
    [[0, 2, 0, 3], undefined],
    [[3, 0, 7, 0], 'MOB'],
    [[4, 0, 6, 0], 'mixed'],
  ];
  for (const [votes, usage] of table) t.equal(votedUsage(votes), usage, votes.join());
  t.end();
});

t.test('a hosting company is no access network, whatever its type and its names', (t) => {
  const hosting: [what: string, origin: Partial<Origin>, about?: Partial<AsSpace>][] = [
    ['a cloud known by its AS', { asn: HOSTING_NETWORKS[0]!.asn, organisation: 'Example Telecom' }],
    ['rented hosting', { asn: 9009, organisation: 'Example Telecom' }],
    ['names', { organisation: 'Example Broadband Hosting' }],
    ['most of its space', { organisation: 'Example Telecom' }, { dataCentreShare: 2 / 3 }],
  ];
  for (const [what, origin, about] of hosting) {
    for (const type of [undefined, 'NSP', 'Cable/DSL/ISP']) t.same(use(origin, type, about), UNKNOWN, what);
    const stated = { ...about, votes: [9, 0, 0, 0] };
    t.same(use(origin, undefined, stated), { usage: 'ISP', isAccess: false }, `${what}, with votes`);
  }
  const minor = { dataCentreShare: 0.6 };
  t.same(use({ organisation: 'Example Telecom' }, undefined, minor), { usage: 'ISP', isAccess: true });
  t.end();
});

t.test('the uses of all announcing ASes come from one walk', (t) => {
  const carrier = { asn: 64_496, name: 'CARRIER' };
  const hoster = { asn: 64_497, name: 'HOSTER' };
  const uses = networkUses({
    origins: originsOf({ '20.0.0.0/16': carrier, '21.0.0.0/16': hoster }),
    networkTypes: new Map([
      [64_496, 'Cable/DSL/ISP'],
      [64_497, 'Cable/DSL/ISP'],
    ]),
    lists: [
      listOf('x4bnet', {
        '20.0.0.0/18': { type: 'DCH', isHosting: true },
        '21.0.0.0/16': { type: 'DCH', isHosting: true },
      }),
    ],
  });
  t.same(
    [...uses],
    [
      [64_496, { usage: 'ISP', isAccess: true }],
      [64_497, UNKNOWN],
    ],
  );
  t.end();
});
