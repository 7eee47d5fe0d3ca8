/**
 * A text whose characters are the bytes of its UTF-8 encoding (U+0000 to U+00FF, as `latin1` maps them). Texts of this
 * form are joined as strings, have their length in bytes, and are written without encoding them again. ASCII is the same
 * in both forms.
 */
export type ByteText = string & { readonly isByteText: true };

/** Returns a text in UTF-8. Lone surrogates become U+FFFD, as when the text is sent. */
export function byteText(text: string): ByteText {
  return (BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text) as ByteText;
}

/** Returns the bytes of a text. */
export function bytesOf(text: ByteText): Buffer {
  return Buffer.from(text, 'latin1');
}

const BEYOND_ASCII = /[^\u0000-\u007f]/;
