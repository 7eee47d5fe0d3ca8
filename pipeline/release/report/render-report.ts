import { changes } from './changes.js';
import { coverage } from './coverage.js';
import { geolocation, proxiesAndClouds, routing } from './datasets.js';
import { inputs } from './inputs.js';
import { page } from './page.js';
import { places } from './places.js';
import { regions } from './regions.js';
import type { ReportSubject } from './subject.js';
import { summary } from './summary.js';

/**
 * The report of a release: one HTML page that needs nothing else, the same bytes for the same manifests. A last release
 * that is this very one, or is of fixtures where this one is not, is no measure and left out.
 */
export function renderReport(subject: ReportSubject): string {
  const { manifest, last } = subject;
  const isMeasure =
    last !== undefined &&
    last.id !== manifest.id &&
    !(last.source === 'fixtures' && manifest.source !== 'fixtures');
  const told = isMeasure ? subject : { ...subject, last: undefined };
  const sections = [
    summary,
    inputs,
    coverage,
    changes,
    geolocation,
    routing,
    proxiesAndClouds,
    regions,
    places,
  ];
  return page(
    manifest,
    sections.flatMap((section) => section(told) ?? []),
  );
}
