import { createHmac } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { newReceiver, type Received } from '../notify/testing/receiver.js';
import { shortDir } from '../testing/child-process.js';
import { copyFeeds, copyOutput, ipatlas, outputFolder, served, start } from './testing/command-line.js';
import { acquireBuildLock } from '../jobs/build-lock.js';

const KEY = Buffer.alloc(32, 3);
const NOTIFY_SECRET = `whsec_${KEY.toString('base64')}`;
const FEEDS = copyFeeds(t);
const OUTPUT = outputFolder(t);

interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

const messageOf = ({ body }: Received): Message => JSON.parse(body) as Message;

/** Writes an executable that keeps its input and variables in files. */
function newCommand(t: Test, exitCode = 0): { NOTIFY_COMMAND: string; got: (name: string) => string } {
  const dir = shortDir(t);
  const NOTIFY_COMMAND = join(dir, 'after-build');
  const lines = [
    '#!/bin/sh',
    `cd '${dir}'`,
    'cat > input',
    'echo "$IPATLAS_EVENT $IPATLAS_EXIT_CODE $IPATLAS_RELEASE" > variables',
    'echo "copied $IPATLAS_RELEASE"',
    `exit ${exitCode}`,
  ];
  writeFileSync(NOTIFY_COMMAND, `${lines.join('\n')}\n`);
  chmodSync(NOTIFY_COMMAND, 0o755);
  return { NOTIFY_COMMAND, got: (name) => readFileSync(join(dir, name), 'utf8') };
}

t.test('a published release is notified to the URL, signed, and to the command', async (t) => {
  const { url, received } = await newReceiver(t);
  const { NOTIFY_COMMAND, got } = newCommand(t);
  const settings = { FEEDS, OUTPUT, NOTIFY_URL: `${url}/secret-path`, NOTIFY_SECRET, NOTIFY_COMMAND };
  const { code, stderr } = await ipatlas(t, settings, 'build');
  t.equal(code, 0, stderr);
  const { id } = await served(OUTPUT);
  t.equal(received.length, 1);
  const [request] = received;
  const { headers, body } = request!;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  t.equal(headers['webhook-signature'], `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`);
  const { type, data } = messageOf(request!);
  t.equal(type, 'build.published');
  t.match(data, { exitCode: 0, release: { id, published: true }, counts: { refused: 0, files: Number } });
  t.strictSame(data['refused'], []);
  t.match(data['jobs'], { publish: Number, 'compile:geo': Number });
  t.equal(got('input'), `${body}\n`);
  t.equal(got('variables'), `build.published 0 ${id}\n`);
  t.match(stderr, `notify: copied ${id}\n`);
  t.notMatch(stderr, /secret-path|whsec_|NOT NOTIFIED/);
});

t.test('an unchanged, an incomplete and a held build have their own types', async (t) => {
  const { url, received } = await newReceiver(t);
  const NIGHT = copyOutput(t, OUTPUT);
  const settings = { FEEDS, OUTPUT: NIGHT, NOTIFY_URL: url };
  t.equal((await ipatlas(t, settings, 'build')).code, 0);
  const before = await served(NIGHT);
  appendFileSync(join(FEEDS, 'own/overrides.csv'), '9.9.9.0/24,CH,,,,,Quad9,,new tonight\n');
  writeFileSync(join(FEEDS, 'own/geofeeds/flexnetworks.csv'), '<html>503</html>\n');
  t.equal((await ipatlas(t, settings, 'build')).code, 3);
  const after = await served(NIGHT);
  t.equal((await ipatlas(t, settings, 'rollback')).code, 0);
  writeFileSync(
    join(FEEDS, 'own/geofeeds/flexnetworks.csv'),
    readFileSync('fixtures/feeds/own/geofeeds/flexnetworks.csv'),
  );
  t.equal((await ipatlas(t, settings, 'build')).code, 4);
  const messages = received.map(messageOf);
  t.match(messages, [
    { type: 'build.unchanged', data: { exitCode: 0, release: { id: before.id, published: false } } },
    {
      type: 'build.incomplete',
      data: {
        exitCode: 3,
        release: { id: after.id, published: true },
        counts: { refused: 1 },
        refused: [{ file: /flexnetworks\.csv$/, refusal: String, usedInstead: 'last good copy' }],
      },
    },
    { type: 'build.held', data: { exitCode: 4, release: { held: before.id } } },
  ]);
});

t.test('a failed build and a second build at once are notified with their errors', async (t) => {
  const { url, received } = await newReceiver(t);
  const NIGHT = copyOutput(t, OUTPUT);
  const { NOTIFY_COMMAND, got } = newCommand(t);
  const settings = { OUTPUT: NIGHT, NOTIFY_URL: url, NOTIFY_COMMAND };
  t.equal((await ipatlas(t, { ...settings, FEEDS: '/nowhere' }, 'build')).code, 64);
  t.equal(got('variables'), 'build.failed 64 \n');
  const lock = acquireBuildLock(NIGHT);
  t.equal((await ipatlas(t, { ...settings, FEEDS }, 'build')).code, 75);
  lock.release();
  const [first, second] = received.map(messageOf);
  t.match(first, { type: 'build.failed', data: { exitCode: 64, error: /^invalid FEEDS "\/nowhere"/ } });
  t.match(second, { type: 'build.failed', data: { exitCode: 75, error: /^another build is running/ } });
  t.notOk('release' in first!.data);
});

t.test('a stopped build is notified', async (t) => {
  const { url, received } = await newReceiver(t);
  const { child, saw, ended } = start(
    t,
    { FEEDS, OUTPUT: copyOutput(t, OUTPUT), NOTIFY_URL: url },
    ...['build', '--force'],
  );
  await saw('fetch:own: started');
  child.kill('SIGTERM');
  t.equal((await ended).code, 143);
  t.match(received.map(messageOf), [
    { type: 'build.failed', data: { exitCode: 143, error: 'stopped by SIGTERM' } },
  ]);
});

t.test('a failed notification is a line, and the release stays published with its exit code', async (t) => {
  const { url } = await newReceiver(t, (response) => response.writeHead(403).end());
  const { NOTIFY_COMMAND } = newCommand(t, 9);
  const NIGHT = outputFolder(t);
  const NOTIFY_URL = `${url.replace('//', '//user:hidden@')}/T0/B0`;
  const { code, stderr } = await ipatlas(t, { OUTPUT: NIGHT, NOTIFY_URL, NOTIFY_COMMAND }, 'build');
  t.equal(code, 0);
  t.ok(await served(NIGHT));
  t.match(stderr, `NOT NOTIFIED ${url}: status 403 (1 attempt)\n`);
  t.match(stderr, `NOT NOTIFIED ${NOTIFY_COMMAND}: exit code 9\n`);
  t.notMatch(stderr, /hidden|T0\/B0/);
});

t.test('invalid variables of notifications end a build before it starts', async (t) => {
  const { code, stderr } = await ipatlas(t, { OUTPUT: outputFolder(t), NOTIFY_URL: 'hooks' }, 'build');
  t.equal(code, 64);
  t.equal(stderr, 'ipatlas: invalid NOTIFY_URL: expected an https: or http: URL\n');
});

t.test('ipatlas notify sends a test', async (t) => {
  const { url, received } = await newReceiver(t, (response, n) =>
    response.writeHead(n === 0 ? 200 : 401).end(),
  );
  t.match(await ipatlas(t, { NOTIFY_URL: url }, 'notify'), { code: 0, stdout: 'Notified.\n', stderr: '' });
  t.match(messageOf(received[0]!), { type: 'build.test', data: { exitCode: 0 } });
  t.match(await ipatlas(t, { NOTIFY_URL: url }, 'notify'), { code: 1, stdout: '', stderr: /^NOT NOTIFIED/ });
  t.match(await ipatlas(t, {}, 'notify'), { code: 64, stderr: /no recipient: set NOTIFY_URL/ });
});
