import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../fixtures/open-file.js';

/** Text of each file by its path in the project. */
type Texts = ReadonlyMap<string, string>;

/** Returns every link of a guide whose file or heading does not exist, one line each. */
function brokenLinks(guides: Texts, exists: (path: string) => boolean): string[] {
  return [...guides].flatMap(([guide, text]) =>
    linksOf(text).flatMap((link) => {
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? guide : posix.join(posix.dirname(guide), decodeURI(path));
      if (!exists(target)) return [`${guide}: ${link}: no such file`];
      const linked = guides.get(target);
      if (anchor === undefined || (linked !== undefined && anchorsOf(linked).has(anchor))) return [];
      return [`${guide}: ${link}: no such heading`];
    }),
  );
}

/** Returns the targets of links within the project: `[text](target)` and `[text]: target` outside code. */
function linksOf(markdown: string): string[] {
  const text = withoutFences(markdown).replace(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(<?([^)>\s]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return links
    .map(([, inline, reference]) => (inline ?? reference)!)
    .filter((link) => !/^[a-z]+:/i.test(link));
}

/** Returns the anchors of a guide: GitHub's slugs of its headings, and ids written as `<a id="…">`. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = withoutFences(markdown);
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, id]) => id!));
  const used = new Map<string, number>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const slug = slugOf(heading);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** The anchor that GitHub gives a heading. */
function slugOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
}

/** The text without fenced code. */
function withoutFences(markdown: string): string {
  return markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[`~]*\s*$/gm, '');
}

/** Returns every cited decision without an anchor in server/decisions.md, one line each. */
function unknownDecisions(sources: Texts, decisions: string): string[] {
  const anchors = anchorsOf(decisions);
  return [...sources].flatMap(([file, text]) =>
    citedDecisions(text)
      .filter((number) => !anchors.has(`decision-${number}`))
      .map((number) => `${file} cites decision ${number}`),
  );
}

/** Returns the numbers in `decision 5`, `decisions 16 and 33`, `decisions: [1, 7]` and `#decision-5`. */
function citedDecisions(text: string): number[] {
  const cited = text.matchAll(/\bdecisions?(?: |-|: \[)(\d+(?:(?:,\s+(?:and )?|\s+and )\d+)*)/gi);
  return [...cited].flatMap(([, numbers]) => (numbers!.match(/\d+/g) ?? []).map(Number));
}

/** Returns the numbers of each section of server/decisions.md: those that its list at the top promises, and those it has. */
function decisionsBySection(decisions: string): Map<string, { listed: number[]; present: number[] }> {
  const [top = '', ...sections] = decisions.split(/^## /m);
  const lines = new Map(
    Array.from(top.matchAll(/^- \[(.+?)\]\(#.+?\): (.+)$/gm), ([, name, list]) => [name!, list!]),
  );
  const found = sections.map((section) => {
    const name = section.slice(0, section.indexOf('\n'));
    const present = Array.from(section.matchAll(/^### (\d+)\./gm), ([, number]) => Number(number));
    const listed = (lines.get(name) ?? '').split(', ').flatMap(numbersOfRange);
    return [name, { listed, present: present.sort((a, b) => a - b) }] as const;
  });
  return new Map(found);
}

/** Returns the numbers of `58-60`, or of `72`. */
function numbersOfRange(range: string): number[] {
  const [first, last = first] = range.split('-').map(Number);
  return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
}

/** Returns every mention of a document that is not in the project, one line each. Links to the web are not mentions. */
function unknownDocuments(sources: Texts, exists: (path: string) => boolean): string[] {
  return [...sources].flatMap(([file, text]) => {
    const local = text.replace(/\bhttps?:\/\/[^\s)>'"`]+/g, '');
    const documents = local.match(/(?<![\w./$}-])(?:\.{1,2}\/)*[\w-][\w./-]*\.md\b/g) ?? [];
    const lost = documents.filter(
      (path) =>
        !['', file.split('/')[0]!, posix.dirname(file)].some((from) => exists(posix.join(from, path))),
    );
    const others = local.match(/\brulings?\b|\bshared\/spec\b/gi) ?? [];
    return [...lost, ...others].map((mention) => `${file} mentions ${mention}`);
  });
}

const IGNORED = /^(node_modules|dist|output|\.git|\.tap|fixtures\/feeds)$/;

/** Returns the texts of files under a folder that match, by their paths in the project. */
function textsOf(pattern: RegExp, folder = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(PROJECT_ROOT, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (IGNORED.test(path)) continue;
    if (entry.isDirectory()) for (const [file, text] of textsOf(pattern, path)) found.set(file, text);
    else if (entry.isFile() && pattern.test(path))
      found.set(path, readFileSync(join(PROJECT_ROOT, path), 'utf8'));
  }
  return found;
}

const inProject = (path: string): boolean => existsSync(join(PROJECT_ROOT, path));
const GUIDES = textsOf(/\.md$/);
/** This file is excluded, because it contains names that others must not contain. */
const SOURCES = new Map(
  [...textsOf(/\.(ts|cts|md)$|(^|\/)Makefile$/)].filter(([path]) => path !== 'pipeline/guides.test.ts'),
);

t.test('every link in every guide leads to a file and a heading', (t) => {
  t.ok(GUIDES.size >= 5, 'the guides were found');
  t.ok([...GUIDES.values()].flatMap(linksOf).length > 50, 'their links were read');
  t.same(brokenLinks(GUIDES, inProject), []);
  t.end();
});

t.test('every decision that is cited has an anchor in server/decisions.md', (t) => {
  t.ok([...SOURCES.values()].flatMap(citedDecisions).length > 200, 'citations were found');
  t.same(unknownDecisions(SOURCES, GUIDES.get('server/decisions.md') ?? ''), []);
  t.end();
});

t.test('the list at the top of server/decisions.md has every decision in its section', (t) => {
  const sections = decisionsBySection(GUIDES.get('server/decisions.md') ?? '');
  t.ok(sections.size > 10, 'the sections were found');
  for (const [name, { listed, present }] of sections) t.same(listed, present, name);
  const lacking = decisionsBySection('- [A](#a): 1-3\n\n## A\n\n### 1. One\n\n### 3. Three\n');
  t.same(lacking.get('A'), { listed: [1, 2, 3], present: [1, 3] });
  t.end();
});

t.test('every document that is mentioned is in the project', (t) => {
  t.same(unknownDocuments(SOURCES, inProject), []);
  t.end();
});

t.test('broken links are found', (t) => {
  const guides = new Map([
    [
      'a.md',
      '# One *two*, `three`!\n# Same\n# Same\n<a id="own"></a>\n[b](room/b.md#x) [c](c.md) [w](https://x.y/z.md)',
    ],
    [
      'room/b.md',
      '[a](../a.md#one-two-three) [2](../a.md#same-1) [3](../a.md#same-2) [o](../a.md#own)\n[r]: ../d.ts',
    ],
    ['e.md', '```\n[x](gone.md)\n# x\n```\n`[y](gone.md)` [x](#x) [line](d.ts#L5)'],
  ]);
  t.same(
    brokenLinks(guides, (path) => guides.has(path) || path === 'd.ts'),
    [
      'a.md: room/b.md#x: no such heading',
      'a.md: c.md: no such file',
      'room/b.md: ../a.md#same-2: no such heading',
      'e.md: #x: no such heading',
      'e.md: d.ts#L5: no such heading',
    ],
  );
  t.end();
});

t.test('unknown decisions and documents are found', (t) => {
  const sources = new Map([
    ['a.ts', '// decision 5, decisions 1, 7 and 43; decisions: [1, 8]\n// decision-9'],
    ['room/b.ts', '// See own.md, `rules.md`, ../a.md, ../shared/spec/api.md; https://x.y/z.md; Ruling 3'],
  ]);
  const decisions = [1, 5, 7].map((number) => `<a id="decision-${number}"></a>`).join('\n');
  t.same(unknownDecisions(sources, decisions), [
    'a.ts cites decision 43',
    'a.ts cites decision 8',
    'a.ts cites decision 9',
  ]);
  t.same(
    unknownDocuments(sources, (path) => path === 'room/own.md' || path === 'a.md'),
    [
      'room/b.ts mentions rules.md',
      'room/b.ts mentions ../shared/spec/api.md',
      'room/b.ts mentions shared/spec',
      'room/b.ts mentions Ruling',
    ],
  );
  t.end();
});
