import { Readable } from 'node:stream';
import type { Answer } from '../../http/answer.js';
import type { PlaceAnswer } from './ask-places.js';

/** Returns all answers as a CSV file: a row for each record, or for each place without one (RFC 4180). */
export function csvFile(answers: AsyncIterable<PlaceAnswer>): Answer {
  return file(csvLines(answers), { type: 'text/csv; charset=utf-8', name: 'answers.csv' });
}

/** Returns all answers as NDJSON: one object for each place. */
export function ndjsonFile(answers: AsyncIterable<PlaceAnswer>): Answer {
  return file(jsonLines(answers), { type: 'application/x-ndjson', name: 'answers.ndjson' });
}

function file(
  lines: AsyncIterable<string>,
  { type, name }: { readonly type: string; readonly name: string },
): Answer {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return { kind: 'stream', status: 200, headers, stream: Readable.from(lines, { objectMode: false }) };
}

async function* csvLines(answers: AsyncIterable<PlaceAnswer>): AsyncGenerator<string> {
  yield 'region,place,subnet,rcode,error,type,value,ttl\r\n';
  for await (const { place, answer } of answers) {
    const { code, label, subnet } = place;
    const start = [code, label.en, subnet, answer.rcode, answer.error ?? ''];
    if (answer.records.length === 0) yield row([...start, '', '', '']);
    for (const { type, value, ttl } of answer.records) yield row([...start, type, value, ttl]);
  }
}

function row(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`;
}

/** Quotes what needs it. A cell of others that begins like a formula gets an apostrophe, as spreadsheets expect it. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* jsonLines(answers: AsyncIterable<PlaceAnswer>): AsyncGenerator<string> {
  for await (const { place, answer } of answers) {
    const { code, label, subnet } = place;
    const { rcode, records, error, time_ms } = answer;
    yield `${JSON.stringify({ region: code, label: label.en, subnet, rcode, records, time_ms, error })}\n`;
  }
}
