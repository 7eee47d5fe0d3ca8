import { posix } from 'node:path';
import type { Language } from '../../../pipeline/record/language.js';
import { localised } from '../layout.js';
import { GUIDES } from './guides.js';

/** The path of the documentation. */
export const DOCS_PATH = '/docs';

/** The path of the API reference. */
export const API_PATH = '/docs/api';

/** Returns where a link of a guide leads; undefined for files of the repository that the site does not show. */
export type LinkOf = (href: string) => string | undefined;

/**
 * Returns the links of a guide. `apiPathOf` finds the page of the API reference with an anchor of `server/api.md`.
 */
export function linksOf(file: string, language: Language, apiPathOf: (anchor: string) => string): LinkOf {
  return (href) => {
    if (/^https?:/.test(href)) return href;
    const [path = '', anchor = ''] = href.split('#');
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    const fragment = anchor === '' ? '' : `#${anchor}`;
    if (target === 'server/api.md') return `${localised(apiPathOf(anchor), language)}${fragment}`;
    if (path === '') return fragment;
    const guide = GUIDES.find(({ file }) => file === target || posix.dirname(file) === target);
    return guide && `${localised(`/docs/${guide.slug}`, language)}${fragment}`;
  };
}
