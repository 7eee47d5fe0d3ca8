/** Scripts in daily use whose letters join (UAX #44, Joining_Type; ArabicShaping.txt). */
const CURSIVE = ['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Adlam', 'Hanifi_Rohingya'];

/** Scripts that form conjuncts, with their viramas (Canonical_Combining_Class 9). */
const CONJUNCT: Readonly<Record<string, string>> = {
  Devanagari: '\u094d',
  Bengali: '\u09cd',
  Gurmukhi: '\u0a4d',
  Gujarati: '\u0acd',
  Oriya: '\u0b4d',
  Tamil: '\u0bcd',
  Telugu: '\u0c4d',
  Kannada: '\u0ccd',
  Malayalam: '\u0d4d',
  Sinhala: '\u0dca',
  Myanmar: '\u1039\u103a',
  Khmer: '\u17d2',
};

/**
 * Returns a pattern of joiners in a cursive script: between two letters or their marks. UTS #39 §3.1.1.1 rule A1 also
 * requires that the letters join, but people write ZWNJ after any letter.
 */
function betweenLettersOf(script: string): string {
  const letter = String.raw`[\p{scx=${script}}&&[\p{L}\p{M}]]`;
  return String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`;
}

/**
 * Returns a pattern of joiners in conjuncts. UTS #39 §3.1.1.1 rules A2 and B: after a virama, ZWNJ only before a letter,
 * ZWJ also at the end (chillus of Malayalam). Bengali and Kannada also write them before a virama (Unicode Standard
 * §12.2, §12.8).
 */
function besideVirama([script, viramas]: readonly [string, string]): string {
  const letter = String.raw`\p{sc=${script}}`;
  return [
    String.raw`(?<=${letter}[${viramas}])(?:\u200d|\u200c(?=${letter}))`,
    String.raw`(?<=${letter})[\u200c\u200d](?=[${viramas}])`,
  ].join('|');
}

/** UTS #51: presentation sequences (ED-8a, ED-9a), keycaps (ED-14c) and ZWJ sequences (ED-16). */
const IN_EMOJI = [
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
];

/** Variants of ideographs (UTS #37; StandardizedVariants.txt) and of Mongolian letters (StandardizedVariants.txt). */
const OF_VARIANTS = [
  String.raw`(?<=\p{sc=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\p{sc=Mongolian}&&\p{L}])[\u180b-\u180d\u180f]`,
];

const SHAPING = new RegExp(
  [
    ...CURSIVE.map(betweenLettersOf),
    ...Object.entries(CONJUNCT).map(besideVirama),
    ...IN_EMOJI,
    ...OF_VARIANTS,
  ].join('|'),
  'vy',
);

/**
 * Returns whether the character at `at` is a joiner (ZWJ, ZWNJ) or a variation selector in a place where spelling or
 * emoji need it: it changes the shape of the characters beside it. Elsewhere it is invisible. The result depends on at
 * most two characters before it and one after it.
 */
export function shapesText(text: string, at: number): boolean {
  SHAPING.lastIndex = at;
  return SHAPING.test(text);
}
