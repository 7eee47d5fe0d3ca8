/** Words of a prefix: four of the address, then the length in bits. */
const WORDS = 5;

/**
 * Sorts numbers of prefixes by address, a covering prefix before those inside it. `prefixes` holds the words of all
 * prefixes, one after the other. A radix sort from the least significant digit on: linear, and no comparisons.
 */
export function sortPrefixes(
  numbers: Uint32Array<ArrayBuffer>,
  prefixes: Int32Array,
): Uint32Array<ArrayBuffer> {
  let from = numbers;
  let into = new Uint32Array(numbers.length);
  for (const { word, shift } of DIGITS) {
    if (isSame(from, prefixes, word, shift)) continue;
    const ends = endsOfDigits(from, prefixes, word, shift);
    for (let i = from.length - 1; i >= 0; i--) {
      const digit = (prefixes[from[i]! * WORDS + word]! >>> shift) & DIGIT_MASK;
      into[--ends[digit]!] = from[i]!;
    }
    [from, into] = [into, from];
  }
  return from;
}

const DIGIT_MASK = 0xffff;

/** From the least significant on. */
const DIGITS = [
  { word: 4, shift: 0 },
  ...[3, 2, 1, 0].flatMap((word) => [
    { word, shift: 0 },
    { word, shift: 16 },
  ]),
];

function isSame(numbers: Uint32Array, prefixes: Int32Array, word: number, shift: number): boolean {
  const digit = (prefixes[numbers[0]! * WORDS + word]! >>> shift) & DIGIT_MASK;
  for (const number of numbers) {
    if (((prefixes[number * WORDS + word]! >>> shift) & DIGIT_MASK) !== digit) return false;
  }
  return true;
}

/** Where the numbers with each digit end in the sorted row. */
function endsOfDigits(numbers: Uint32Array, prefixes: Int32Array, word: number, shift: number): Uint32Array {
  const ends = new Uint32Array(DIGIT_MASK + 1);
  for (const number of numbers) ends[(prefixes[number * WORDS + word]! >>> shift) & DIGIT_MASK]!++;
  for (let digit = 1; digit <= DIGIT_MASK; digit++) ends[digit]! += ends[digit - 1]!;
  return ends;
}
