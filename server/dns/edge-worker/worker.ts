import { isSignatureOf } from './signature.js';

/** The bindings of the worker. */
export interface WorkerEnvironment {
  /** Same value as the server's DNS_WORKER_SECRET. */
  readonly DNS_WORKER_SECRET: string;
}

/** A request: a resolver's URL (RFC 8484) and the DNS message to send, in base64. */
export interface WorkerQuestion {
  readonly url: string;
  readonly message: string;
}

/** A response: the resolver's message in base64 and the worker's location. Unknown location fields are `""`. */
export interface WorkerAnswer {
  readonly message: string;
  /** Code of the data centre, such as FRA. */
  readonly colo: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** City or region. */
  readonly location: string;
}

/** Creates a module worker. `ask` sends requests to the resolver; tests pass their own. */
export function newWorker(ask: typeof fetch) {
  return {
    async fetch(request: Request, { DNS_WORKER_SECRET: secret }: WorkerEnvironment): Promise<Response> {
      if (request.method !== 'POST') return refuse(405, 'send a signed question with POST');
      const body = await request.text();
      if (body.length > MAX_QUESTION) return refuse(413, `question longer than ${MAX_QUESTION} characters`);
      const timestamp = request.headers.get('x-timestamp') ?? '';
      const signature = request.headers.get('x-signature') ?? '';
      // An empty secret would accept signatures from anyone.
      if (!secret || !(await isSignatureOf({ timestamp, signature, body }, secret, Date.now())))
        return refuse(401, 'invalid or expired signature');
      const question = parseQuestion(body);
      if (question === undefined) return refuse(400, 'invalid question: expected {"url", "message"}');
      const message = await resolve(question, ask);
      if (message === undefined) return refuse(502, 'no valid answer from the resolver');
      return Response.json({ message: encodeBase64(message), ...placeOf(request) } satisfies WorkerAnswer);
    },
  };
}

export default newWorker((input, init) => fetch(input, init));

/** Enough for a 512-byte message in base64 and a URL. */
const MAX_QUESTION = 4096;
const MAX_ANSWER_BYTES = 65_535;
/** Less than the server's own limit of two seconds. */
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

/** Parses a JSON object. Returns an empty one for invalid JSON. */
function parseObject(text: string): Partial<Record<'url' | 'message', unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Sends the message to the resolver. Returns undefined without a valid answer. */
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
    // The Fetch standard reports every network failure as one of these two.
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Returns the media type without parameters (RFC 9110 §8.3.1), or `''` if there is none. */
function mediaTypeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** Reads the body. Returns undefined when it exceeds the limit. */
async function readUpTo(most: number, { body }: Response): Promise<Uint8Array | undefined> {
  const bytes: number[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    if (bytes.length + chunk.length > most) return undefined;
    for (const byte of chunk) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** A request with the location that edge platforms add. */
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
