import t from 'tap';
import { GITHUB } from './github.js';
import {
  countAddresses,
  refusalOf,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

const NAME = 'github-meta.json';
const ID = `cloud/${NAME}`;
const claim = (service: string) => ({ cloud: 'GitHub', usageType: 'DCH', service });

t.test('a prefix has the first of its services, a more specific prefix has its own', async (t) => {
  const trial = await tryFixtures(GITHUB, NAME);
  t.same(trial.claimAt('140.82.112.3'), claim('web'), 'web, api, git, hooks and copilot share it');
  t.same(trial.claimAt('20.201.28.148'), claim('api'));
  t.same(trial.claimAt('20.200.245.248'), claim('git'));
  t.same(trial.claimAt('4.237.22.41'), claim('copilot'));
  t.same(trial.claimAt('185.199.108.153'), claim('pages'));
  t.same(trial.claimAt('185.199.108.1'), claim('web'));
  t.same(trial.claimAt('2606:50c0:8000::153'), claim('pages'));
  t.same(trial.tally(ID).notes, { conflict: 25, skipped: 8 });
  t.equal(trial.tally(ID).rejected, 0);
});

t.test('space of Azure where anyone can run programs is skipped', async (t) => {
  const trial = await tryFixtures(GITHUB, NAME);
  for (const [address, key] of [
    ['4.148.0.1', 'actions'],
    ['13.105.117.0', 'actions_macos'],
    ['20.42.11.17', 'codespaces'],
    ['52.0.228.224', 'importer'],
    ['18.213.123.130', 'dependabot'],
  ] as const) {
    t.equal(trial.claimAt(address), undefined, key);
  }
});

t.test(
  'keys of other kinds are ignored, and bad entries are rejected without affecting others',
  async (t) => {
    const meta = {
      verifiable_password_authentication: false,
      ssh_keys: ['ssh-ed25519 AAAA'],
      domains: { website: ['github.com'] },
      web: ['140.82.112.0/20', 7, 'github.com', '127.0.0.1'],
      api: 'none',
      git: null,
      actions: ['4.148.0.0/16', 'x'],
    };
    const trial = await tryText(t, GITHUB, NAME, JSON.stringify(meta));
    t.same(trial.rejections(ID), ['address@3', 'json@2', 'reserved@4']);
    t.match(trial.tally(ID), { rows: 4, notes: { skipped: 1 } });
  },
);

t.test('a damaged file, or one without services, is refused', async (t) => {
  await refusesDamaged(t, GITHUB, NAME, '140.82.112.0/20');
  t.equal(await refusalOf(t, GITHUB, NAME, '{"actions":["4.148.0.0/16"],"web":[]}'), 'header');
});

t.test('the real file of GitHub', { skip: withoutPublished(NAME) }, async (t) => {
  const trial = await tryPublished(GITHUB, NAME);
  const { rows, rejected, notes } = trial.tally(ID);
  t.same({ rows, rejected }, { rows: 21 + 21 + 36 + 6 + 10 + 15, rejected: 0 });
  t.same(notes, { conflict: 39, skipped: 5_314 + 311 + 185 + 8 + 24 + 5 + 3 });
  t.equal(countAddresses(trial), 10_294, '10,285 of web, api and git, and 9 of copilot');
});
