import t, { type Test } from 'tap';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { NO_TARGETS } from '../testing/hostile-targets.js';
import { runServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const NAME = 'www.example.com';
const doh = await DohServer.start({ [NAME]: [{ type: 'A', name: NAME, ttl: 60, data: '8.8.8.8' }] });
t.teardown(() => doh.close());
const server = await runServer(t, {
  trustedProxies: ['127.0.0.1/32'],
  upstreams: {
    ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
    dohResolvers: [doh.resolver('Zero')],
    extraAuthorities: TEST_IDENTITY.authority,
  },
});

const MARKUP = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '" onfocus="alert(1)" autofocus="',
  "';alert(1)//",
  '<svg onload=alert(1)>',
  '%3Csvg%20onload=alert(1)%3E',
  '&lt;b&gt;&#60;b&#62;',
  '--><iframe src=//evil.example>',
  ']]><b>',
  '<!-- main -->',
  '<!-- dots -->',
  '{{7*7}}${7*7}',
  '<a href="javascript:alert(1)">',
  '../../etc/passwd',
  '//evil.example/',
  'https://evil.example/<b>',
  'x\r\nSet-Cookie: a=b',
];
const HIDING = [
  '\u202Egnp.exe',
  'a\u202Eb\u202C.com',
  '\u2066a\u2069.com',
  '\u061Ca.com',
  'a\u0000b',
  'a\u001B[2Jb',
  '\u009B2J',
  'a\u2028b',
  '\u{E0041}\u{E0042}',
];
/** Of 10 kB or more, or of just as much as a URL may have. */
const LONG = [
  'x'.repeat(10_000),
  '<b>'.repeat(3400),
  '\u202E'.repeat(3400),
  'a.'.repeat(5000),
  '<'.repeat(2000),
];
const HOSTILE = [...MARKUP, ...HIDING, ...LONG, ...NO_TARGETS.slice(0, 40)];
t.ok(HOSTILE.length >= 50, `${HOSTILE.length} hostile texts`);

let visitors = 0;
/** Opens a page, each time from another address: the limits of pages are per address. */
async function open(path: string) {
  visitors++;
  const headers = { Accept: 'text/html', 'X-Forwarded-For': `9.1.${visitors >> 8}.${visitors & 255}` };
  const response = await fetch(`${server.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Elements and comments that no page has. */
const FOREIGN = /<(script|img|iframe|object|b)\b|<!--/i;
/** A tag with an attribute that runs a script, or with a link to a script. Values are in double quotes. */
const RUNNING = /<[a-z](?:"[^"]*"|[^">])*\s(on\w+=|autofocus)|="\s*javascript:/i;
/** Characters that hide or move others, and those that control a terminal. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u;

/** A run over all places has a dot for each. */
const LONGEST = { failure: 16_000, page: 120_000 };

/** Returns what is wrong with the page at a path. */
async function complaintOf(path: string): Promise<string | undefined> {
  const { status, headers, html } = await open(path);
  const limit = status === 200 ? LONGEST.page : LONGEST.failure;
  const isWrong =
    (![200, 303, 400, 404, 414, 431].includes(status) && `HTTP ${status}`) ||
    (html.length > limit && `${html.length} characters`) ||
    ([200, 400, 404].includes(status) &&
      !/^text\/html/.test(headers.get('content-type') ?? '') &&
      'no page') ||
    FOREIGN.exec(html)?.[0] ||
    RUNNING.exec(html)?.[0] ||
    (HIDDEN.test(html) && 'a hidden character');
  if (isWrong !== false) return `${path.slice(0, 80)}: ${isWrong}`;
  if (status !== 303) return undefined;
  const location = headers.get('location') ?? '';
  // Only the path decides where a browser goes: it must not begin with two slashes.
  if (!/^\/(?!\/)[\x21-\x7E]*$/.test(location)) return `${path.slice(0, 80)}: to ${location.slice(0, 80)}`;
  return await complaintOf(location);
}

async function examine(t: Test, pathOf: (encoded: string) => string): Promise<void> {
  const wrong: string[] = [];
  for (const text of HOSTILE) {
    const complaint = await complaintOf(pathOf(encodeURIComponent(text)));
    if (complaint !== undefined) wrong.push(complaint);
  }
  t.same(wrong, []);
}

const PAGES: Readonly<Record<string, (encoded: string) => string>> = {
  '/lookup/{target}': (text) => `/lookup/${text}`,
  'the search box': (text) => `/lookup?q=${text}&lang=zh`,
  'the form of global DNS': (text) => `/global-dns?name=${text}&resolver=${text}`,
  'the name of a run': (text) => `/global-dns/answers?name=${text}`,
  'the resolver of a run': (text) => `/global-dns/answers?name=${NAME}&resolver=${text}`,
  'the language of a page': (text) => `/status?lang=${text}`,
  'a guide': (text) => `/docs/${text}`,
};
for (const [title, pathOf] of Object.entries(PAGES))
  t.test(`${title}: a hostile text is escaped or refused, in a page of limited size`, (t) =>
    examine(t, pathOf),
  );

t.test('the checks find what they look for', (t) => {
  t.match('<p><script>', FOREIGN);
  t.match('<input value="" onfocus="alert(1)">', RUNNING);
  t.match('<a href="javascript:alert(1)">', RUNNING);
  t.notMatch('<input value="&quot; onfocus=&quot;alert(1)">', RUNNING);
  t.match('a\u202Eb', HIDDEN);
  t.end();
});
