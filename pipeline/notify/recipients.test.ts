import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { shortDir } from '../testing/child-process.js';
import { parseRecipients, RecipientError, type RecipientTexts } from './recipients.js';

const parse = (texts: Partial<RecipientTexts>) =>
  parseRecipients({ url: undefined, secret: undefined, command: undefined, ...texts });
const url = 'https://hooks.example.com/a';
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

t.test('variables that are empty or not set name no recipient', (t) => {
  t.strictSame(parse({}), {});
  t.strictSame(parse({ url: '', secret: '', command: '' }), {});
  t.end();
});

t.test('user and password leave the URL', (t) => {
  const { webhook } = parse({
    url: 'https://a%40b:c@hooks.example.com/x#y',
    secret: ` ${secret}  ${secret}`,
  });
  t.equal(webhook?.url.href, 'https://hooks.example.com/x');
  t.equal(webhook?.authorization, `Basic ${Buffer.from('a@b:c').toString('base64')}`);
  t.strictSame(webhook?.secrets, [secret, secret]);
  t.end();
});

t.test('a command is an executable file', (t) => {
  t.equal(parse({ command: process.execPath }).command, process.execPath);
  const plain = join(shortDir(t), 'plain');
  writeFileSync(plain, '', { mode: 0o644 });
  for (const command of [plain, '/usr', '/no/such/file', `${process.execPath} -v`])
    t.throws(() => parse({ command }), RecipientError, command);
  t.end();
});

t.test('invalid values are errors that do not contain them if they may be secret', (t) => {
  const short = `whsec_${Buffer.alloc(23, 1).toString('base64')}`;
  for (const wrong of [
    short,
    secret.slice(6),
    `${secret}!`,
    `${secret} ${short}`,
    `whsec_${'A'.repeat(33)}`,
  ]) {
    const thrown = t.throws(() => parse({ url, secret: wrong }), RecipientError) as RecipientError;
    t.match(thrown.message, /^invalid NOTIFY_SECRET, secret [12]: expected whsec_/);
    t.notMatch(thrown.message, wrong.slice(6));
  }
  t.throws(() => parse({ url: 'ftp://user:hidden@host' }), { message: /^invalid NOTIFY_URL: (?!.*hidden)/ });
  t.throws(() => parse({ url: 'hooks.example.com' }), { message: /^invalid NOTIFY_URL/ });
  t.throws(() => parse({ secret }), { message: 'NOTIFY_SECRET is set without NOTIFY_URL' });
  t.end();
});
