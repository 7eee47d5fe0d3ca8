import t from 'tap';
import { printable } from '../text/printable.js';
import { html } from './markup.js';

t.test('text is escaped once for markup and once for display', (t) => {
  t.equal(
    html`<b title="${`"'&<>`}">${'a & b'}</b>`.text,
    '<b title="&quot;&#39;&amp;&lt;&gt;">a &amp; b</b>',
  );
  t.equal(html`${'\u001b[2J\u007f\t\u0085'}`.text, '\\x1b[2J\\x7f\\x09\\x85', 'as in a terminal');
  t.equal(html`${'a\u202eb\u2066c\u200bd\ufeffe'}`.text, 'a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}e');
  t.equal(html`${'a\ud800b\ufffec\uffff'}`.text, 'a\\u{d800}b\\u{fffe}c\\u{ffff}', 'not allowed in XML');
  t.equal(html`${'\\u{202e}'}`.text, '\\u{202e}', 'an escape is text');
  t.equal(html`${'می\u200cخواهم ❤\ufe0f'}`.text, 'می\u200cخواهم ❤\ufe0f');
  t.end();
});

t.test('a printed page has the same bytes', (t) => {
  const name = 'می\u200cخواهم\u200c \u202e\u0000\ud800\ufffe👩\u200d🚀\u200d 1\ufe0f\u20e3';
  const page = html`<p>${name}</p>
    <p>${name}${'\u200c\ufe0f'}</p>`.text;
  t.equal(printable(page), page);
  t.end();
});
