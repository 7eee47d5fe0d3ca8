import { Readable } from 'node:stream';
import type { Markup } from '../../pipeline/html/markup.js';
import type { Answer } from '../http/answer.js';
import { HTML_TYPE } from '../http/html-type.js';
import type { Assets } from './assets.js';
import { frameOf, type PageContent } from './layout.js';

/** A page whose last sections are sent as they arrive. Works without scripts. */
export interface StreamedPage extends Omit<PageContent, 'main'> {
  readonly first: Markup;
  /** An error breaks the page off. */
  readonly later: AsyncIterable<Markup>;
}

/** Returns the answer that sends the first part at once. */
export function streamPage(assets: Assets, page: StreamedPage): Answer {
  return {
    kind: 'stream',
    status: 200,
    headers: { 'Content-Type': HTML_TYPE },
    isCompressible: true,
    stream: Readable.from(piecesOf(assets, page), { objectMode: false }),
  };
}

async function* piecesOf(assets: Assets, page: StreamedPage): AsyncGenerator<string> {
  const { top, bottom } = frameOf(assets, page);
  yield top + page.first.text;
  for await (const section of page.later) yield section.text;
  yield bottom;
}
