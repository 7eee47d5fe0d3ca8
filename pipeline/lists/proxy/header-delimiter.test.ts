import t from 'tap';
import { withDelimiter } from './header-delimiter.js';

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer, void, undefined> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Returns the delimiter and the bytes that are passed on. */
async function found(text: string, size: number): Promise<[string, string]> {
  const { delimiter, bytes } = await withDelimiter(chunksOf(text, size));
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return [delimiter, Buffer.concat(chunks).toString()];
}

t.test('the delimiter is that of the header for any division into chunks, and no byte is lost', async (t) => {
  const texts: readonly [string, string][] = [
    ['', ','],
    ['prefix', ','],
    ['prefix,type\n1.1.1.1;a;b;c,VPN\n', ','],
    ['prefix;type\n1.1.1.1;"a,b,c,d"\n', ';'],
    ['\n# a,b,c\n  # a\tb\n"# a, b"\n\ufeffprefix\ttype', '\t'],
    ['# nothing, but, comments\n', ','],
  ];
  for (const [text, delimiter] of texts) {
    for (let size = 1; size <= text.length + 1; size++) {
      t.same(await found(text, size), [delimiter, text], `${JSON.stringify(text)} by ${size}`);
    }
  }
});
