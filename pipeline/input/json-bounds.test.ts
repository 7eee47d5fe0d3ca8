import assert from 'node:assert';
import t from 'tap';
import {
  JsonBounds,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUE_BYTES,
  MAX_JSON_VALUES,
  type JsonParsing,
} from './json-bounds.js';

/** Reads a text in one piece and byte by byte. Returns the refusal, or whether the text ends inside a value. */
function boundsOf(text: string, parsing: JsonParsing = {}): string | boolean {
  const bytes = Buffer.from(text);
  const whole = outcome(parsing, [bytes]);
  if (bytes.length < 1_000) {
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    assert.equal(outcome(parsing, pieces), whole, text);
  }
  return whole;
}

function outcome(parsing: JsonParsing, pieces: readonly Buffer[]): string | boolean {
  const bounds = new JsonBounds({ id: 'a/b.json' }, parsing);
  try {
    for (const piece of pieces) bounds.read(piece);
  } catch (error) {
    return (error as Error).message;
  }
  return bounds.isOpen;
}

const nested = (depth: number): string => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);

t.test('arrays and objects may be nested up to the maximum depth', (t) => {
  t.equal(boundsOf(nested(MAX_JSON_DEPTH)), false);
  t.equal(boundsOf(nested(MAX_JSON_DEPTH + 2)), 'a/b.json: too-deep: JSON nested deeper than 64');
  t.equal(boundsOf('['.repeat(MAX_JSON_DEPTH)), true);
  t.equal(boundsOf('['.repeat(MAX_JSON_DEPTH + 1)), 'a/b.json: too-deep: JSON nested deeper than 64');
  t.equal(boundsOf('[[],[]],'.repeat(MAX_JSON_DEPTH)), false, 'next to each other');
  t.end();
});

t.test('brackets and commas in strings do not count', (t) => {
  const text = JSON.stringify(['['.repeat(100), '\\"{'.repeat(100), '\u00e9\\']);
  t.equal(boundsOf(text), false);
  t.equal(boundsOf(text.slice(0, -2)), true, 'inside a string');
  t.equal(boundsOf(JSON.stringify(','.repeat(MAX_JSON_VALUES))), false);
  t.end();
});

t.test('a document that is parsed as a whole has a maximum number of values', (t) => {
  const commas = (count: number): string => `[${','.repeat(count)}]`;
  t.equal(boundsOf(commas(MAX_JSON_VALUES - 2)), false);
  t.equal(boundsOf(commas(MAX_JSON_VALUES)), 'a/b.json: too-large: JSON of more than 4,000,000 values');
  t.equal(boundsOf(commas(MAX_JSON_VALUES), { valueDepth: 2 }), false, 'value by value');
  t.end();
});

t.test('a document that is parsed value by value has a maximum size of a value', (t) => {
  const refused = 'a/b.json: too-large: a JSON value of more than 4,000,000 bytes';
  const parsing = { valueDepth: 2 };
  const long = 'x'.repeat(MAX_JSON_VALUE_BYTES / 2);
  t.equal(boundsOf(`{"rows":["${long}",{"a":"${long}"}]}`, parsing), false);
  t.equal(boundsOf(`{"rows":["${long}",{"a":"${long}","b":"${long}"}]}`, parsing), refused);
  t.equal(boundsOf(`{"rows":["${long}${long}`, parsing), refused, 'an endless string');
  t.equal(
    boundsOf(`{"rows":[${'1'.repeat(MAX_JSON_VALUE_BYTES + 1)}`, parsing),
    refused,
    'an endless number',
  );
  t.equal(boundsOf(`{"rows":[[${'[],'.repeat(MAX_JSON_VALUE_BYTES / 2)}`, parsing), refused);
  t.equal(boundsOf(`{"rows":[${'[],'.repeat(MAX_JSON_VALUE_BYTES / 3)}`, parsing), true, 'many values');
  t.end();
});
