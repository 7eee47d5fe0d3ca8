import type { Answer } from '../http/answer.js';
import type { Call } from '../http/route.js';
import type { DownloadMeter } from '../ledger/meters/download-meter.js';
import type { SentFile, DatasetOrigin } from '../release/snapshot.js';
import { parseRange, type ByteRange } from './byte-range.js';
import { etagOf, isNotModified, isSameFile, lastModifiedOf } from './conditions.js';
import { licenceLink } from './licence-link.js';
import { openMetered, type MeteredFile } from './metered-file.js';

/** A requested download. */
interface Download extends MeteredFile {
  readonly origin: Pick<DatasetOrigin, 'licences'>;
}

/**
 * Answers a download with 200, 206, 304 or 416. Only 200 and 206 count, even when aborted; HEAD, 304 and 416 do not. A
 * download that ends before its first byte is written to the socket is refunded (decision 39). Throws Failure(429) with
 * the exceeded limit.
 */
export async function download(
  { method, headers }: Pick<Call<unknown, unknown, unknown>, 'method' | 'headers'>,
  asked: Download,
  meter: DownloadMeter,
): Promise<Answer> {
  const { file, origin } = asked;
  const described = { ...headersOf(file), ...licenceLink(origin) };
  if (isNotModified(headers, file)) return { kind: 'stream', status: 304, headers: described };
  const wanted = isSameFile(headers, file) ? parseRange(headers.range, file.sizeBytes) : undefined;
  if (method === 'HEAD') return { kind: 'stream', status: 200, headers: { ...described, ...bodyOf(file) } };
  if (wanted === 'unsatisfiable') {
    return {
      kind: 'stream',
      status: 416,
      headers: { ...described, 'Content-Range': `bytes */${file.sizeBytes}`, 'Content-Length': '0' },
    };
  }
  const range = wanted ?? { start: 0, end: file.sizeBytes - 1 };
  const { opened, headers: counts, unsent } = await openMetered(asked, meter);
  return {
    kind: 'stream',
    status: wanted ? 206 : 200,
    headers: {
      ...described,
      ...bodyOf(file, range),
      ...(wanted && rangeHeader(range, file)),
      ...counts,
    },
    stream: opened.stream(range),
    unsent,
  };
}

function headersOf(file: SentFile): Record<string, string> {
  return {
    ETag: etagOf(file),
    'Last-Modified': lastModifiedOf(file),
    'Accept-Ranges': 'bytes',
  };
}

function bodyOf(
  file: SentFile,
  { start, end }: ByteRange = { start: 0, end: file.sizeBytes - 1 },
): Record<string, string> {
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${file.filename}"`,
    'Content-Length': String(end - start + 1),
  };
}

function rangeHeader({ start, end }: ByteRange, file: SentFile): Record<string, string> {
  return { 'Content-Range': `bytes ${start}-${end}/${file.sizeBytes}` };
}
