import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../../pipeline/record/language.js';
import { generalPage, readReference, tagPage } from './api-pages.js';
import { docsMain } from './docs-page.js';
import { GUIDES } from './guides.js';
import { guidePage, indexPage } from './guide-page.js';
import { DOCS_DIR, INDEX_FILE, type WrittenPage } from './written-pages.js';

const LANGUAGES: readonly Language[] = ['en', 'zh'];

/** Writes the main parts of all pages of the documentation, in each language, with an index. */
export function writeDocs(dir: string = DOCS_DIR): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const written = LANGUAGES.flatMap((language) => writeLanguage(dir, language));
  writeFileSync(join(dir, INDEX_FILE), JSON.stringify(written));
}

function writeLanguage(dir: string, language: Language): WrittenPage[] {
  const reference = readReference();
  const pages = [
    indexPage(reference, language),
    ...GUIDES.map((guide) => guidePage(guide, reference, language)),
    generalPage(reference, language),
    ...reference.tags.map((tag) => tagPage(reference, tag, language)),
  ];
  return pages.map((page) => {
    const { path, title, scripts = [] } = page;
    const main = docsMain(page, reference.tags, language).text;
    const digest = createHash('sha256').update(main).digest('hex').slice(0, 32);
    const file = `${path.slice(1).replaceAll('/', '-')}.${language}.html`;
    writeFileSync(join(dir, file), main);
    return { path, language, title, scripts, file, digest };
  });
}
