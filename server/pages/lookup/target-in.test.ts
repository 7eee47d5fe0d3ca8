import t from 'tap';
import { targetIn } from './target-in.js';

t.test('what people type and paste becomes a target', (t) => {
  const targets = [
    ['15169', 'AS15169'],
    ['AS 15169', 'AS15169'],
    ['as15169', 'AS15169'],
    ['8.8.8.8:53', '8.8.8.8'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['example.com/path', 'example.com'],
    ['example.com:8443/path?q#f', 'example.com'],
    ['example.com?q', 'example.com'],
    ['https://www.example.com:8443/a?b', 'www.example.com'],
    ['https://[2001:db8::1]/', '2001:db8::1'],
    ['8.8.8.8/admin', '8.8.8.8'],
  ] as const;
  for (const [text, target] of targets) t.equal(targetIn(text), target, text);
  t.end();
});

t.test('targets and other texts stay as they are', (t) => {
  for (const text of [
    '8.8.8.8',
    '8.8.8.0/24',
    '10.0.0.0/99',
    '2001:db8::1',
    '2001:db8::/32',
    '::1',
    '_dmarc.example.com',
    'a b',
    '//evil.example/',
    'https://',
    '12345678901',
  ])
    t.equal(targetIn(text), text, text);
  t.end();
});
