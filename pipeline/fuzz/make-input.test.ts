import t from 'tap';
import { makeInput } from './make-input.js';
import { BYTE_MUTATORS, inserting, mutate } from './mutate.js';
import { Random, seedOf } from './random.js';
import { unlessDeclared, type FuzzTarget } from './target.js';

const SEED = Buffer.from(Array.from({ length: 100 }, (_, i) => i));
const TARGET: FuzzTarget = {
  seeds: [{ name: 'a', bytes: SEED }],
  mutators: [inserting(['INSERTED'])],
  run: () => undefined,
};
const input = (seed: number, number: number): string =>
  makeInput(TARGET, { target: 'x', seed, input: number }).bytes.toString('hex');

t.test('equal seeds and numbers give equal inputs, others give others', (t) => {
  t.equal(input(1, 0), SEED.toString('hex'), 'the seed itself');
  const inputs = Array.from({ length: 200 }, (_, i) => input(1, i + 1));
  t.same(
    Array.from({ length: 200 }, (_, i) => input(1, i + 1)),
    inputs,
  );
  t.ok(new Set(inputs).size > 190);
  t.not(input(2, 1), input(1, 1));
  t.not(seedOf(1, 'a', 1), seedOf(1, 'b', 1));
  t.ok(
    inputs.some((hex) => hex.includes(Buffer.from('INSERTED').toString('hex'))),
    'mutators of the format are used',
  );
  t.end();
});

t.test('every mutator changes a copy, also of an empty file', (t) => {
  for (const mutator of [...BYTE_MUTATORS, inserting(['x', Buffer.of(0)])]) {
    const random = new Random(1);
    const before = Buffer.from(SEED);
    const mutants = Array.from({ length: 50 }, () => mutator(SEED, random));
    t.ok(SEED.equals(before), `${mutator.name} keeps its argument`);
    t.ok(mutants.filter((mutant) => !mutant.equals(SEED)).length > 30, `${mutator.name} changes bytes`);
    mutator(Buffer.alloc(0), random);
  }
  t.end();
});

t.test('mutants grow to a megabyte at most', (t) => {
  const random = new Random(3);
  let bytes: Buffer = Buffer.alloc(995_000);
  for (let i = 0; i < 200; i++) {
    bytes = mutate(
      bytes,
      BYTE_MUTATORS.filter(({ name }) => name === 'repeatSlice' || name === 'insertBytes'),
      random,
    );
  }
  t.equal(bytes.length, 1_000_000);
  t.end();
});

t.test('errors of other classes than the declared ones are thrown', (t) => {
  unlessDeclared(new TypeError('x'), [RangeError, TypeError]);
  t.throws(() => {
    unlessDeclared(new TypeError('x'), [RangeError]);
  }, TypeError);
  t.end();
});
