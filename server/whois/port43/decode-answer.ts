/** Text in the charset that it is in: UTF-8 where it is valid, else the server's, else Latin-1. */
export function decodeAnswer(bytes: Uint8Array, charset: string | undefined): string {
  // ISO-2022-JP looks like ASCII to a decoder of UTF-8.
  if (charset === 'iso-2022-jp' && bytes.includes(ESCAPE)) return decode(bytes, charset);
  return decodeUtf8(bytes) ?? decode(bytes, charset ?? 'windows-1252');
}

const ESCAPE = 0x1b;

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function decode(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(bytes);
}
