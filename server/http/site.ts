import type { FailurePage } from './exchange.js';
import type { FixedBody } from './fixed-document.js';
import type { Route } from './route.js';

/** A file that pages load: a style sheet, a script, a picture. Or one for crawlers. */
export interface Asset extends FixedBody {
  readonly path: string;
}

/** The pages for people, with all that they load. */
export interface Site {
  /** Routes with the shape `page`. One may have the path of an endpoint: browsers then get the page. */
  readonly pages: readonly Route[];
  readonly assets: readonly Asset[];
  readonly failurePage: FailurePage;
}
