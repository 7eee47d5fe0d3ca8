import t from 'tap';
import { KeyStack } from './key-stack.js';

/** Pushes keys that different values follow. Returns the number of the duplicate that is found. */
function duplicateOf(keys: readonly string[]): number | undefined {
  const stack = new KeyStack(Buffer.from(keys.map((key, i) => key + String.fromCharCode(33 + i)).join('')));
  const offsets: number[] = [];
  let offset = 0;
  for (const key of keys) {
    stack.push(offset, key.length);
    offsets.push(offset);
    offset += key.length + 1;
  }
  const found = stack.takeDuplicate(0);
  t.equal(stack.length, 0);
  return found === undefined ? undefined : offsets.indexOf(found);
}

const DISTINCT = Array.from({ length: 30 }, (_, i) => `key ${i}`);

t.test('two empty keys are duplicates, in small and in large maps', (t) => {
  t.equal(duplicateOf(['', 'a', '']), 2);
  t.ok([0, 31].includes(duplicateOf(['', ...DISTINCT, ''])!));
  t.equal(duplicateOf(['', 'a', 'b']), undefined);
  t.equal(duplicateOf(['', ...DISTINCT]), undefined);
  t.end();
});

t.test('equal keys at different offsets, and one offset twice, are duplicates', (t) => {
  t.equal(duplicateOf(['city', 'names', 'city']), 2);
  t.equal(duplicateOf(['ab', 'ac', 'b']), undefined);
  const stack = new KeyStack(Buffer.from('city'));
  stack.push(0, 4);
  stack.push(0, 4);
  t.equal(stack.takeDuplicate(0), 0);
  t.end();
});
