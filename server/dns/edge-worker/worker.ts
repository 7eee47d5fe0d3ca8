import { isSignatureOf } from './signature.js';

/** What the platform binds to the worker. */
export interface WorkerEnvironment {
  /** The same as the server's DNS_WORKER_SECRET. */
  readonly DNS_WORKER_SECRET: string;
}

/** What the worker is asked: a resolver (RFC 8484), and the message to send there, in base64. */
export interface WorkerQuestion {
  readonly url: string;
  readonly message: string;
}

/** What it answers: the resolver's message in base64, and where the worker ran; `""` what the platform does not say. */
export interface WorkerAnswer {
  readonly message: string;
  /** Code of the data centre, such as FRA. */
  readonly colo: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** City or region. */
  readonly location: string;
}

/** A module worker. `ask` reaches the resolver; tests bring their own. */
export function newWorker(ask: typeof fetch) {
  return {
    async fetch(request: Request, { DNS_WORKER_SECRET: secret }: WorkerEnvironment): Promise<Response> {
      if (request.method !== 'POST') return refuse(405, 'POST a signed question');
      const body = await request.text();
      if (body.length > MAX_QUESTION) return refuse(413, 'the question is too long');
      const timestamp = request.headers.get('x-timestamp') ?? '';
      const signature = request.headers.get('x-signature') ?? '';
      // An empty secret would let everybody sign.
      if (!secret || !(await isSignatureOf({ timestamp, signature, body }, secret, Date.now())))
        return refuse(401, 'the signature is wrong or old');
      const question = parseQuestion(body);
      if (question === undefined) return refuse(400, 'the question makes no sense');
      const message = await resolve(question, ask);
      if (message === undefined) return refuse(502, 'the resolver does not answer');
      return Response.json({ message: encodeBase64(message), ...placeOf(request) } satisfies WorkerAnswer);
    },
  };
}

export default newWorker((input, init) => fetch(input, init));

/** A message of 512 bytes in base64, a URL, and room to spare. */
const MAX_QUESTION = 4096;
const MAX_ANSWER_BYTES = 65_535;
/** Below the two seconds for which the server waits. */
const RESOLVER_MS = 1600;
const MEDIA_TYPE = 'application/dns-message';

function parseQuestion(
  body: string,
): { readonly url: string; readonly message: Uint8Array<ArrayBuffer> } | undefined {
  const { url, message } = parseObject(body);
  if (typeof url !== 'string' || typeof message !== 'string') return undefined;
  if (!/^https:\/\/[^@\s]+$/.test(url) || !URL.canParse(url)) return undefined;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/.test(message)) return undefined;
  return { url, message: Uint8Array.from(atob(message), (char) => char.charCodeAt(0)) };
}

/** A JSON object's members; none of anything else. */
function parseObject(text: string): Partial<Record<'url' | 'message', unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The resolver's message; undefined when it gives none. */
async function resolve(
  { url, message }: { readonly url: string; readonly message: Uint8Array<ArrayBuffer> },
  ask: typeof fetch,
): Promise<Uint8Array | undefined> {
  try {
    const response = await ask(url, {
      method: 'POST',
      headers: { Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE },
      body: message,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESOLVER_MS),
    });
    if (response.status !== 200 || mediaTypeOf(response) !== MEDIA_TYPE) return undefined;
    return await readUpTo(MAX_ANSWER_BYTES, response);
  } catch (error) {
    // Whatever the network does comes as one of these two, by the Fetch standard.
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Without parameters (RFC 9110 §8.3.1); `''` where none is told. */
function mediaTypeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** The body; undefined when it is longer. */
async function readUpTo(most: number, { body }: Response): Promise<Uint8Array | undefined> {
  const bytes: number[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    if (bytes.length + chunk.length > most) return undefined;
    for (const byte of chunk) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** What public edge platforms say of where a request runs. */
interface EdgeRequest extends Request {
  readonly cf?: {
    readonly colo?: string;
    readonly country?: string;
    readonly city?: string;
    readonly region?: string;
  };
}

function placeOf({ cf = {} }: EdgeRequest): Pick<WorkerAnswer, 'colo' | 'country' | 'location'> {
  return { colo: cf.colo ?? '', country: cf.country ?? '', location: cf.city ?? cf.region ?? '' };
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
