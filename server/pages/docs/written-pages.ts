import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../../pipeline/record/language.js';

/** A page of the documentation whose main part was written with the assets. */
export interface WrittenPage {
  readonly path: string;
  readonly language: Language;
  readonly title: string;
  readonly scripts: readonly string[];
  /** Its main part, in the folder. */
  readonly file: string;
  /** Of its main part, hex. */
  readonly digest: string;
}

/** The folder of the main parts; this file is compiled to `dist/server/pages/docs`. */
export const DOCS_DIR = join(import.meta.dirname, '../docs-pages');

/** The list of the pages in the folder. */
export const INDEX_FILE = 'index.json';

/** Reads the list of the pages. Throws a system error if the folder is missing. */
export function readWrittenPages(dir: string = DOCS_DIR): readonly WrittenPage[] {
  // `writeDocs` has written it with this build.
  return JSON.parse(readFileSync(join(dir, INDEX_FILE), 'utf8')) as readonly WrittenPage[];
}
