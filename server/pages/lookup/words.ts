import type { Language } from '../../../pipeline/record/language.js';
import { CHINESE_WORDS } from './chinese-words.js';
import { ENGLISH_WORDS } from './english-words.js';
import type { LookupWords } from './lookup-words.js';

export type { LookupWords } from './lookup-words.js';

/** The words of the pages about addresses, prefixes, ASes and names, by language. */
export const LOOKUP_WORDS: Readonly<Record<Language, LookupWords>> = { en: ENGLISH_WORDS, zh: CHINESE_WORDS };
