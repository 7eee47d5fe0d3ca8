import type { Site } from '../http/site.js';
import type { Route } from '../http/route.js';
import type { ServerConfig } from '../config.js';
import type { Parts } from '../parts.js';
import { Assets } from './assets.js';
import { docs } from './docs/docs.js';
import { failurePageOf } from './failure-page.js';
import { globalDnsAnswers, globalDnsForm } from './global-dns/global-dns.js';
import { home } from './lookup/home.js';
import { lookup } from './lookup/lookup.js';
import { search } from './lookup/search.js';
import { ROBOTS } from './robots.js';
import { report } from './status/report.js';
import { status } from './status/status.js';

/** What pages are made from. */
export interface PageParts extends Parts {
  readonly assets: Assets;
  readonly hasReport: boolean;
}

/** Returns all pages for people. Reads their assets from the compiled folder. */
export function siteOf(
  parts: Parts,
  { outputDir, hasReport }: Pick<ServerConfig, 'outputDir' | 'hasReport'>,
): Site {
  const assets = Assets.read();
  const made: PageParts = { ...parts, assets, hasReport };
  const pages: readonly Route[] = [
    home(made),
    search,
    lookup(made),
    status(made),
    ...(hasReport ? [report(outputDir)] : []),
    globalDnsForm(made),
    globalDnsAnswers(made),
    docs(made),
  ];
  return { pages, assets: [...assets.all, ROBOTS], failurePage: failurePageOf(assets) };
}
