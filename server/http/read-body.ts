import type { Context } from './exchange.js';
import { Failure } from '../failure.js';
import type { BodiesUnderWay, BodyUnderWay } from './bodies-under-way.js';
import { decodeBody } from './decode-body.js';
import { receiveBody, SLOWEST_BODY } from './receive-body.js';

/** Limits of a request body in bytes, before and after decompression (decision 61). */
export const BODY_LIMITS = { withKey: 256 * 1024, anonymous: 16 * 1024 } as const;

/** The sender of a body. */
export interface BodySender {
  /** The source of decision 2. */
  readonly source: string;
  readonly hasKey: boolean;
}

/** Receives the JSON bodies of requests. */
export class BodyReader {
  constructor(
    private readonly bodies: BodiesUnderWay,
    private readonly slowest: { readonly bytes: number; readonly intervalMs: number } = SLOWEST_BODY,
  ) {}

  /** Reads the JSON body of a request. Returns a Failure when it cannot be read; its rest is then unread. */
  async read({ req, res }: Pick<Context, 'req' | 'res'>, { source, hasKey }: BodySender): Promise<unknown> {
    const limitBytes = hasKey ? BODY_LIMITS.withKey : BODY_LIMITS.anonymous;
    const tooLarge = hasKey ? tooLargeWithKey : tooLargeAnonymous;
    const counted = req.complete ? ARRIVED : this.bodies.begin(source);
    if (counted instanceof Failure) return counted;
    try {
      const { slowest } = this;
      const bytes = await receiveBody({ req, res }, { limitBytes, tooLarge, counted, slowest });
      if (bytes instanceof Failure) return bytes;
      return decodeBody(bytes, { coding: req.headers['content-encoding'], limitBytes, tooLarge });
    } finally {
      counted.end();
    }
  }
}

/** A body that arrived with its header is read at once. */
const ARRIVED: BodyUnderWay = { grow: () => undefined, end: () => undefined };

function tooLargeWithKey(): Failure {
  return new Failure(413, `the body exceeds ${BODY_LIMITS.withKey} bytes`);
}

function tooLargeAnonymous(): Failure {
  const { anonymous, withKey } = BODY_LIMITS;
  return new Failure(
    413,
    `the body exceeds ${anonymous} bytes, the limit without an API key; with a key it is ${withKey} bytes`,
  );
}
