/** The integers of a prefix: four words of address, then the length in bits. */
const WORDS = 5;

/**
 * Sorts prefix numbers by address, a covering prefix before those inside it. `prefixes` has the words of all prefixes.
 * Takes linear time. The prefixes of a dump are mostly in order already, so only those out of order are sorted and then
 * merged with the others (drop-merge sort).
 */
export function sortPrefixes(
  numbers: Uint32Array<ArrayBuffer>,
  prefixes: Int32Array,
): Uint32Array<ArrayBuffer> {
  const { inOrder, late } = withoutLate(numbers, prefixes);
  return merge(inOrder, radixSort(late, prefixes), prefixes);
}

/** Separates the numbers that are out of order (`late`) from the ascending rest. */
function withoutLate(
  numbers: Uint32Array,
  prefixes: Int32Array,
): Record<'inOrder' | 'late', Uint32Array<ArrayBuffer>> {
  const inOrder = new Uint32Array(numbers.length);
  const late = new Uint32Array(numbers.length);
  let kept = 0;
  let dropped = 0;
  for (const number of numbers) {
    if (kept > 0 && isBefore(prefixes, number, inOrder[kept - 1]!)) late[dropped++] = number;
    else inOrder[kept++] = number;
  }
  return { inOrder: inOrder.slice(0, kept), late: late.slice(0, dropped) };
}

function merge(a: Uint32Array, b: Uint32Array, prefixes: Int32Array): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(a.length + b.length);
  let fromA = 0;
  let fromB = 0;
  for (let to = 0; to < merged.length; to++) {
    const isFromB = fromA === a.length || (fromB < b.length && isBefore(prefixes, b[fromB]!, a[fromA]!));
    merged[to] = isFromB ? b[fromB++]! : a[fromA++]!;
  }
  return merged;
}

/** Whether the prefix with number `a` sorts before the prefix with number `b`. */
function isBefore(prefixes: Int32Array, a: number, b: number): boolean {
  for (let word = 0; word < WORDS; word++) {
    const difference = (prefixes[a * WORDS + word]! >>> 0) - (prefixes[b * WORDS + word]! >>> 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Sorts by digits of 16 bits, the least significant first. */
function radixSort(numbers: Uint32Array<ArrayBuffer>, prefixes: Int32Array): Uint32Array<ArrayBuffer> {
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

/** The digits, the least significant first. */
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

/** Returns the end position of each digit's numbers in the sorted result. */
function endsOfDigits(numbers: Uint32Array, prefixes: Int32Array, word: number, shift: number): Uint32Array {
  const ends = new Uint32Array(DIGIT_MASK + 1);
  for (const number of numbers) ends[(prefixes[number * WORDS + word]! >>> shift) & DIGIT_MASK]!++;
  for (let digit = 1; digit <= DIGIT_MASK; digit++) ends[digit]! += ends[digit - 1]!;
  return ends;
}
