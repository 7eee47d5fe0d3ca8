/** Largest clock difference between signer and verifier. A signed request can be replayed for this long. */
export const SIGNATURE_WINDOW_S = 60;

/** The signed parts of a request to the edge worker. */
export interface Signed {
  /** Unix seconds, in decimal. */
  readonly timestamp: string;
  readonly body: string;
}

/** Signs with HMAC-SHA256 (RFC 2104) over `<timestamp>.<body>`, in lower-case hex. Uses Web APIs only. */
export async function signatureOf(signed: Signed, secret: string): Promise<string> {
  const bytes = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), bytesOf(signed));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns whether a signature is valid and recent. `verify` compares in constant time. */
export async function isSignatureOf(
  { timestamp, body, signature }: Signed & { readonly signature: string },
  secret: string,
  nowMs: number,
): Promise<boolean> {
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > SIGNATURE_WINDOW_S) return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return await crypto.subtle.verify(
    'HMAC',
    await keyOf(secret, 'verify'),
    bytes,
    bytesOf({ timestamp, body }),
  );
}

function bytesOf({ timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${timestamp}.${body}`);
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [use]);
}
