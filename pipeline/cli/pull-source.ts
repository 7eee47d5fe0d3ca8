import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { parseJson } from '../text/parse-json.js';

/** A server that does not give what `pull` needs. */
export class PullError extends Error {
  override readonly name = 'PullError';
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const snapshotSchema = z.object({ sha256: digest, size: z.int().positive() });
const changesSchema = z.object({
  snapshot: snapshotSchema,
  deltas: z.array(
    z.object({ sha256: digest, size: z.int().positive(), from_sha256: digest, to_sha256: digest }),
  ),
});
const answerSchema = z.union([
  z.object({ code: z.literal(0), data: changesSchema }),
  z.object({ code: z.literal(404), msg: z.string(), snapshot: snapshotSchema }),
  z.object({ code: z.int(), msg: z.string() }),
]);

/** The current file of a dataset on the server. */
export type Snapshot = z.infer<typeof snapshotSchema>;
/** The deltas from a file to the current one; without `deltas` the file is not known to the server, and `why` says so. */
export type Changes =
  | (z.infer<typeof changesSchema> & { readonly why?: undefined })
  | { readonly snapshot: Snapshot; readonly why: string };

/** The API of a server, with a key. Every request has a deadline. */
export class PullSource {
  constructor(
    private readonly server: URL,
    /** The path of the dataset: `/api/datasets/mmdb`. */
    private readonly path: string,
    private readonly key: string,
  ) {}

  /** Asks for the changes since a file. Throws PullError with the message of the server. */
  async changesSince(sha256: string | undefined): Promise<Changes> {
    const query = sha256 === undefined ? '' : `?since=${sha256}`;
    const response = await this.#get(`/changes${query}`, {});
    const parsed = answerSchema.safeParse(parseJson(await textOf(response)));
    if (!parsed.success) throw new PullError(`no list of changes: HTTP ${response.status}`);
    const answer = parsed.data;
    if ('data' in answer) return answer.data;
    if ('snapshot' in answer) return { snapshot: answer.snapshot, why: answer.msg };
    throw new PullError(`the server answered code ${answer.code}: ${answer.msg}`);
  }

  /** Fetches a delta of known size. Throws PullError. */
  async delta(sha256: string, sizeBytes: number): Promise<Buffer> {
    const response = await this.#get(`/changes/${sha256}`, {});
    await expectFile(response);
    const parts: Buffer[] = [];
    for await (const part of bodyOf(response, sizeBytes)) parts.push(part);
    const bytes = Buffer.concat(parts);
    if (bytes.length === sizeBytes) return bytes;
    throw new PullError(`the delta ${sha256} has ${bytes.length} bytes, expected ${sizeBytes}`);
  }

  /**
   * Appends the rest of the file to `path`, which has `have` bytes of it, or begins again. What was received before the
   * connection breaks off stays in the file. Throws PullError.
   */
  async whole({ sha256, size }: Snapshot, path: string, have: number): Promise<void> {
    const headers = have > 0 ? { Range: `bytes=${have}-`, 'If-Range': `"${sha256}"` } : {};
    const response = await this.#get('', headers);
    await expectFile(response);
    const flags = response.status === 206 ? 'a' : 'w';
    const left = response.status === 206 ? size - have : size;
    const file = await open(path, flags);
    try {
      for await (const part of bodyOf(response, left)) await file.writeFile(part);
    } finally {
      await file.close();
    }
  }

  async #get(suffix: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const url = new URL(this.server);
    const [path = '', query = ''] = suffix.split('?', 2);
    url.pathname = url.pathname.replace(/\/$/, '') + this.path + path;
    url.search = query;
    try {
      return await fetch(url, {
        headers: { Authorization: `Bearer ${this.key}`, ...headers },
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
    } catch (cause) {
      throw new PullError(`${url.origin} does not answer`, { cause });
    }
  }
}

/** Returns the body of an answer. Throws PullError when it breaks off or has more bytes. */
async function* bodyOf(response: Response, limitBytes: number): AsyncGenerator<Buffer, void> {
  let received = 0;
  try {
    if (response.body === null) return;
    for await (const part of Readable.fromWeb(response.body) as AsyncIterable<Buffer>) {
      received += part.length;
      if (received > limitBytes) throw new PullError(`the server sends more than ${limitBytes} bytes`);
      yield part;
    }
  } catch (cause) {
    if (cause instanceof PullError) throw cause;
    throw new PullError(`the connection broke off after ${received} bytes`, { cause });
  }
}

/** Returns the body of an answer in JSON. Throws PullError when it breaks off or is larger than any such answer. */
async function textOf(response: Response): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bodyOf(response, MAX_JSON_BYTES)) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A list of changes has at most as many deltas as releases are kept, with 400 bytes each. */
const MAX_JSON_BYTES = 1 << 20;

/** A whole file may take this long. An interrupted one is resumed by the next run. */
const DEADLINE_MS = 3_600_000;

/** Throws PullError with the message of the server, unless the answer is a file. */
async function expectFile(response: Response): Promise<void> {
  const isFile = response.headers.get('content-type') === 'application/octet-stream';
  if ((response.status === 200 || response.status === 206) && isFile) return;
  const found = z.object({ msg: z.string() }).safeParse(parseJson(await textOf(response)));
  throw new PullError(`no file: ${found.data?.msg ?? `HTTP ${response.status}`}`);
}
