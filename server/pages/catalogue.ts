import type { Site } from '../http/site.js';
import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { Assets } from './assets.js';
import { docs } from './docs/docs.js';
import { failurePageOf } from './failure-page.js';
import { globalDnsAnswers, globalDnsForm } from './global-dns/global-dns.js';
import { home } from './lookup/home.js';
import { lookup } from './lookup/lookup.js';
import { search } from './lookup/search.js';
import { ROBOTS } from './robots.js';
import { status } from './status/status.js';

/** What pages are made from. */
export interface PageParts extends Parts {
  readonly assets: Assets;
}

/** Returns all pages for people. Reads their assets from the compiled folder. */
export function siteOf(parts: Parts): Site {
  const assets = Assets.read();
  const made: PageParts = { ...parts, assets };
  const pages: readonly Route[] = [
    home(made),
    search,
    lookup(made),
    status(made),
    globalDnsForm(made),
    globalDnsAnswers(made),
    docs(made),
  ];
  return { pages, assets: [...assets.all, ROBOTS], failurePage: failurePageOf(assets) };
}
