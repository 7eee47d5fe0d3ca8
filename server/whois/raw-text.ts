/** Truncates a server's text to 256 kB of UTF-8, between two characters. */
export function cutRaw(text: string): string {
  if (text.length <= MAX_RAW_BYTES / 3 || Buffer.byteLength(text) <= MAX_RAW_BYTES) return text;
  const bytes = Buffer.from(text);
  let end = MAX_RAW_BYTES;
  // 10xxxxxx is a continuation byte (RFC 3629 §3).
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

const MAX_RAW_BYTES = 262_144;
