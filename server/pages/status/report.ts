import { readReport, releaseDir } from '../../../pipeline/release/release-store.js';
import { Failure } from '../../failure.js';
import { page } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { definePage } from '../define-page.js';

/** The path of the report. */
export const REPORT_PATH = '/status/report';

/** The report is one file with its style in it, and loads nothing. */
const POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** GET /status/report: the report of the current release, as the build wrote it */
export const report = (outputDir: string): Route =>
  definePage({
    paths: [REPORT_PATH],
    name: 'reportPage',
    answer:
      ({ snapshot: { id } }) =>
      async () => {
        const html = await readReport(releaseDir(outputDir, id));
        if (html === undefined) throw new Failure(404, `release ${id} has no report`);
        return page(html, POLICY);
      },
  });
