import { pipeline, Transform, type Readable } from 'node:stream';

/** Bytes before and after a stream. */
export interface Surroundings {
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/**
 * Returns a stream of `before`, the body and `after`. A failure of the body destroys it. When it is destroyed the body
 * is destroyed too, which closes its file.
 */
export function surround(body: Readable, { before, after }: Surroundings): Readable {
  let isBegun = false;
  const whole = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!isBegun && before) this.push(before);
      isBegun = true;
      done(null, chunk);
    },
    flush(done) {
      if (!isBegun && before) this.push(before);
      done(null, after);
    },
  });
  // The reader of the stream gets the error from it.
  return pipeline(body, whole, () => undefined);
}
