import t from 'tap';
import { blocksOf, MarkdownRenderer } from './render-markdown.js';

function render(markdown: string): { readonly text: string; readonly renderer: MarkdownRenderer } {
  const renderer = new MarkdownRenderer({
    linkOf: (href) => (href.endsWith('.ts') ? undefined : `to:${href}`),
    tableName: (number, heading) => `Table ${number}: ${heading}`,
    copy: 'Copy',
    copied: 'Copied',
  });
  return { text: renderer.blocks(blocksOf(markdown)).text, renderer };
}

t.test('text, code, links and lists become markup, and signs of HTML are escaped', (t) => {
  const cases = [
    ['a < b & "c" `x<y>`', '<p>a &lt; b &amp; &quot;c&quot; <code>x&lt;y&gt;</code></p> '],
    ['**b** *e* \\*', '<p><strong>b</strong> <em>e</em> *</p> '],
    ['[guide](README.md) [source](`x`.ts)', '<p><a href="to:README.md">guide</a> source</p> '],
    ['![a picture](x.png)\n![another](y.png)', ''],
    ['See ![a < picture](x.png)', '<p>See <em>a &lt; picture</em></p> '],
    ['> quoted', '<blockquote><p>quoted</p> </blockquote> '],
  ] as const;
  for (const [markdown, expected] of cases) t.equal(render(markdown).text, expected, markdown);
  t.match(render('- one\n- two').text, /<ul>\s*<li>one<\/li>\s*<li>two<\/li>\s*<\/ul>/);
  t.match(render('3. one').text, /<ol>/);
  t.match(render('```sh\nls <a>\n```').text, /<pre [^>]*><code>ls &lt;a&gt;<\/code><\/pre>/);
  t.end();
});

t.test('headings have the anchors of GitHub and are listed', (t) => {
  const { text, renderer } = render('# A `b`\n\n## Two words\n\n## Two words\n');
  t.match(text, '<h1 id="a-b">A <code>b</code></h1>');
  t.match(text, '<h2 id="two-words"><a href="#two-words">Two words</a></h2>');
  t.same(renderer.headings, [
    { depth: 1, id: 'a-b', text: 'A b' },
    { depth: 2, id: 'two-words', text: 'Two words' },
    { depth: 2, id: 'two-words-1', text: 'Two words' },
  ]);
  t.end();
});

t.test('tables scroll, have names, and repeat their headings in cells for narrow screens', (t) => {
  const { text } = render('## Files\n\n| file | what |\n| --- | --- |\n| `a` | b |\n');
  t.match(text, /<div class="scroll" role="region" aria-label="Table 1: Files" tabindex="0">/);
  t.match(text, /<th scope="row"><code>a<\/code><\/th>\s*<td data-name="what">b<\/td>/);
  t.end();
});

t.test('anchors and comments are the only HTML', (t) => {
  t.equal(render('<a id="decision-1"></a>').text, '<span id="decision-1"></span>');
  t.equal(render('<!-- written -->').text, '');
  for (const markdown of ['<script>alert(1)</script>', 'a <b>b</b>', '<a href="x">x</a>'])
    t.throws(() => render(markdown), /HTML in Markdown|cannot render Markdown/, markdown);
  t.end();
});
