import t from 'tap';
import { printable, printableJson, printableLine } from './printable.js';

/** Names and words as people write them, by what needs the invisible character. */
const WRITTEN: Readonly<Record<string, string>> = {
  'ZWNJ in Persian': 'هم\u200cراه اول، می\u200cخواهم، کتاب\u200cخانه',
  'ZWNJ in Persian with marks': 'مِی\u200cخواهم',
  'ZWJ in Arabic': 'ه\u200dه',
  'ZWNJ in Syriac': 'ܒ\u200cܒ',
  'ZWJ in Mongolian': 'ᠮ\u200dᠨ',
  'ZWNJ after a virama in Hindi': 'क्\u200cष',
  'ZWJ after a virama in Nepali': 'गर्\u200dयो',
  'ZWJ before a virama in Bengali': 'র\u200d্যাংগস',
  'ZWJ before a virama in Kannada': 'ರ\u200d್ಯಾಂಕ್',
  'ZWJ in Sinhala': 'ශ්\u200dරී ලංකා',
  'ZWNJ in Tamil': 'க்\u200cஷ',
  'ZWJ at the end in Malayalam': 'അവന്\u200d.',
  'a variant of an ideograph': '葛\u{e0100}城市 辻\u{e0101}',
  'a standardized variant of an ideograph': '㐂\ufe00',
  'a variant of a Mongolian letter': 'ᠠ\u180b',
  'an emoji with a presentation': '❤\ufe0f ☎\ufe0e',
  'a family': '👨\u200d👩\u200d👧\u200d👦',
  'a profession with a skin tone': '👩🏽\u200d🚀',
  'a flag': '🏳\ufe0f\u200d🌈',
  'a keycap': '1\ufe0f\u20e3',
};

/** Text that hides an invisible character, with what is printed. */
const HIDDEN: readonly (readonly [string, string])[] = [
  ['pay\u200dpal', 'pay\\u{200d}pal'],
  ['pay\u200cpal', 'pay\\u{200c}pal'],
  ['\u200dpaypal', '\\u{200d}paypal'],
  ['\u200cمی', '\\u{200c}می'],
  ['می\u200c', 'می\\u{200c}'],
  ['می\u200c\u200cخواهم', 'می\\u{200c}\\u{200c}خواهم'],
  ['می\u200c x', 'می\\u{200c} x'],
  ['می\u200cx', 'می\\u{200c}x'],
  ['م\u200cक', 'م\\u{200c}क'],
  ['١\u200c٢', '١\\u{200c}٢'],
  ['क\u200dख', 'क\\u{200d}ख'],
  ['pay्\u200dpal', 'pay्\\u{200d}pal'],
  ['ന്\u200d\u200d', 'ന്\u200d\\u{200d}'],
  ['ന്\u200c', 'ന്\\u{200c}'],
  ['👩\u200d', '👩\\u{200d}'],
  ['👩\u200d\u200d🚀', '👩\\u{200d}\\u{200d}🚀'],
  ['👩\u200da', '👩\\u{200d}a'],
  ['\u200d🚀', '\\u{200d}🚀'],
  ['👩\u200c🚀', '👩\\u{200c}🚀'],
  ['❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
  ['a\ufe0f', 'a\\u{fe0f}'],
  ['\ufe0f❤', '\\u{fe0f}❤'],
  ['1\ufe0f', '1\\u{fe0f}'],
  ['a\u{e0100}', 'a\\u{e0100}'],
  ['葛\u{e0100}\u{e0101}', '葛\u{e0100}\\u{e0101}'],
  ['葛\ufe0f', '葛\\u{fe0f}'],
  ['x\u180b', 'x\\u{180b}'],
  ['می\u202eخواهم', 'می\\u{202e}خواهم'],
  ['می\u2066خواهم', 'می\\u{2066}خواهم'],
  ['می\u200fخواهم', 'می\\u{200f}خواهم'],
  ['👩\u202e🚀', '👩\\u{202e}🚀'],
  ['می\u0000خواهم', 'می\\x00خواهم'],
];

t.test('joiners and variation selectors stay where spelling and emoji need them', (t) => {
  for (const [what, text] of Object.entries(WRITTEN)) {
    t.equal(printable(text), text, what);
    t.equal(printableLine(text), text, what);
    t.equal(printableJson(JSON.stringify([text])), JSON.stringify([text]), what);
  }
  t.end();
});

t.test('elsewhere they are escaped, and bidirectional and control characters everywhere', (t) => {
  for (const [text, printed] of HIDDEN) {
    t.equal(printableLine(text), printed);
    t.equal(printable(printed), printed, 'printed once more');
    const json = printableJson(JSON.stringify([text]));
    t.same(JSON.parse(json), [text]);
    t.equal(printable(json), json);
  }
  t.equal(printable('می\nخواهم'), 'می\nخواهم');
  t.equal(printableLine('می\nخواهم'), 'می\\x0aخواهم');
  t.end();
});

t.test('a cut does not leave a joiner at the end', (t) => {
  t.equal(printableLine('می\u200cخواهم', 3), 'می\\u{200c}… (8 characters)');
  t.end();
});

t.test('a long row of joiners takes time in proportion to its length', (t) => {
  for (const text of ['\u200d', 'م\u200c', '्\u200d', '👩\u200d'].map((piece) => piece.repeat(200_000))) {
    const begin = performance.now();
    printable(text);
    t.ok(performance.now() - begin < 5000);
  }
  t.end();
});
