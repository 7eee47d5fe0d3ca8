import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Language } from '../../../pipeline/record/language.js';
import { isTagListed } from '../../entity-tag.js';
import { Failure } from '../../failure.js';
import { notModified, page } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { frameOf } from '../layout.js';
import { DOCS_DIR, readWrittenPages, type WrittenPage } from './written-pages.js';

/** GET /docs, /docs/{guide}, /docs/api, /docs/api/{tag}: the guides and the API reference, with an ETag */
export function docs({ assets }: { readonly assets: Assets }): Route {
  const pages = new Map(
    readWrittenPages().map((page) => [keyOf(page.path, page.language), whole(assets, page)]),
  );
  return definePage({
    paths: ['/docs', '/docs/:guide', '/docs/:guide/:tag'],
    name: 'docsPage',
    isFixed: true,
    params: z.object({ guide: z.string().exactOptional(), tag: z.string().exactOptional() }),
    answer({ params: { guide, tag }, language, headers }) {
      const path = ['/docs', guide, tag]
        .filter((part) => part !== undefined)
        .join('/')
        .toLowerCase();
      const found = pages.get(keyOf(path, language));
      if (found === undefined) throw new Failure(404, `no guide ${path}; all guides are listed at /docs`);
      const { top, bottom, file, tag: entityTag } = found;
      const validators = { ETag: `W/${entityTag}`, Vary: 'Accept-Language' };
      const { 'if-none-match': known } = headers;
      if (known !== undefined && isTagListed(known, entityTag)) return notModified(validators);
      return async () => page(top + (await readFile(join(DOCS_DIR, file), 'utf8')) + bottom, validators);
    },
  });
}

function keyOf(path: string, language: Language): string {
  return `${language} ${path}`;
}

/** A page in its frame. The tag changes with the text, the style and the scripts. */
interface WholePage {
  readonly top: string;
  readonly bottom: string;
  readonly file: string;
  readonly tag: string;
}

function whole(assets: Assets, { path, language, title, scripts, file, digest }: WrittenPage): WholePage {
  const { top, bottom } = frameOf(assets, { title, language, path, scripts });
  const hash = createHash('sha256').update(`${digest}${top}${bottom}`).digest('hex');
  return { top, bottom, file, tag: `"${hash.slice(0, 32)}"` };
}
