import t from 'tap';
import { maskKeys } from './mask-keys.js';

/** Percent-encodes every character, or those that `chosen` returns true for. */
const encode = (text: string, chosen: (at: number) => boolean = () => true): string =>
  Array.from(text, (character, at) =>
    chosen(at) ? `%${character.charCodeAt(0).toString(16)}` : character,
  ).join('');

const SECRET = 'ipa_0123456789abcdefghijABCDEFGHIJ01234567';

t.test('a key or a token is masked at any depth of percent-encoding', (t) => {
  const masked: (readonly [string, string])[] = [
    [`/a/${SECRET}`, '/a/ipa_…'],
    [`/a/${SECRET}/sources`, '/a/ipa_…/sources'],
    [`/a/x${SECRET}`, '/a/xipa_…'],
    ['/a/IPA_0123', '/a/IPA_…'],
    ['/a/ipn_0123', '/a/ipn_…'],
    ['/%69pa%5f0123/sources', '/ipa_…/sources'],
    ['/api/ip/%2569pa_0123', '/api/ip/ipa_…'],
    ['/api/ip/%25%32%35%36%39pa_0123', '/api/ip/ipa_…'],
    ['/api/ip/%%36%39pa_0123', '/api/ip/ipa_…'],
    ['/api/ip%252fipa_0123%252fsources', '/api/ip/ipa_…'],
    ['/%zzipa_0123', '/%zzipa_…'],
    ['/100%/ipa_0123', '/100%/ipa_…'],
  ];
  for (const [path, expected] of masked) t.equal(maskKeys(path), expected, path);
  let layered = SECRET;
  for (let layer = 0; layer < 6; layer++) {
    layered = encode(layered, (at) => layer === 0 || layered[at] === '%');
    for (const text of [layered, layered.toUpperCase(), layered.toLowerCase()]) {
      t.match(maskKeys(`/api/ip/${text}`), /^\/api\/ip\/ip[an]_…$/i, text.slice(0, 60));
    }
  }
  t.end();
});

t.test('other paths stay as they were sent', (t) => {
  for (const path of ['/', '/api/ip/1.1.1.1', '/%', '/%2', '/%zz/%25/%2525', '/a%20b/ip_a', '/%2569p%61/_'])
    t.equal(maskKeys(path), path);
  t.end();
});

t.test('a long path takes linear time', (t) => {
  // Decoding layer by layer would read the text 300,000 times.
  const layers = `/%${'25'.repeat(300_000)}69pa_0123`;
  t.equal(maskKeys(layers), '/ipa_…');
  t.end();
});
