import { z } from 'zod';
import type { DohResolver } from '../config.js';
import { deadlineIn, type Deadline } from '../deadline.js';
import { signatureOf } from '../dns/edge-worker/signature.js';
import type { WorkerQuestion } from '../dns/edge-worker/worker.js';
import type { HttpClient, HttpReply } from '../egress/http-client.js';
import { UpstreamError } from '../upstream-error.js';
import { parseJson } from '../../pipeline/text/parse-json.js';

/** Where an edge worker ran. Fields unknown to its platform are `""`. */
export interface PointOfPresence {
  /** Code of the data centre, such as FRA. */
  readonly colo: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** City or region. */
  readonly location: string;
}

/** A resolver's message and the place it was requested from. */
export interface WorkerReply {
  readonly message: Buffer;
  readonly place: PointOfPresence;
}

/** Thrown when the worker ran but the resolver did not answer it. Not a failure of the worker. */
export class ResolverSilentError extends UpstreamError {}

/** Queries resolvers through the operator's worker on an edge platform (`server/dns/edge-worker`). */
export class EdgeWorkerClient {
  readonly #url: URL;

  constructor(
    private readonly http: Pick<HttpClient, 'request'>,
    private readonly worker: { readonly url: string; readonly secret: string },
  ) {
    this.#url = new URL(worker.url);
  }

  /** Sends a message to a resolver through the worker. Throws UpstreamError. */
  async exchange({ url }: DohResolver, message: Uint8Array, deadline: Deadline): Promise<WorkerReply> {
    const question: WorkerQuestion = { url, message: Buffer.from(message).toString('base64') };
    const body = JSON.stringify(question);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = await signatureOf({ timestamp, body }, this.worker.secret);
    const reply = await this.http.request({
      url: this.#url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature },
      body: Buffer.from(body),
      maxBytes: MAX_BYTES,
      deadline: deadlineIn(WORKER_MS, deadline),
      maxRedirects: 0,
    });
    return readAnswer(reply);
  }
}

const WORKER_MS = 2000;
/** A 64 kB message in base64 plus the worker's location. */
const MAX_BYTES = 90_000;

const place = z.string().max(200);
const answerSchema = z.object({ message: z.base64(), colo: place, country: place, location: place });

function readAnswer({ status, body }: HttpReply): WorkerReply {
  if (status === 502) throw new ResolverSilentError('failed', 'the resolver did not answer the edge worker');
  if (status !== 200)
    throw new UpstreamError('failed', `the edge worker returned HTTP ${status}, expected 200`);
  const { success, data } = answerSchema.safeParse(parseJson(body.toString()));
  if (!success) throw new UpstreamError('malformed', 'the edge worker returned an unexpected body');
  const { message, colo, country, location } = data;
  return { message: Buffer.from(message, 'base64'), place: { colo, country, location } };
}
