import { isComparable } from '../accuracy.js';
import { accuracy } from './accuracy.js';
import { changes } from './changes.js';
import { countries } from './countries.js';
import { coverage } from './coverage.js';
import { geolocation, proxiesAndClouds, routing } from './datasets.js';
import { feedPairs } from './feed-pairs.js';
import { inputs } from './inputs.js';
import { page } from './page.js';
import { places } from './places.js';
import { regions } from './regions.js';
import type { ReportSubject } from './subject.js';
import { summary } from './summary.js';
import { trend } from './trend.js';

/**
 * Renders the report of a release: one self-contained HTML page, the same bytes for the same manifests and trend. It is not
 * compared with itself, and a real release is not compared with one built from fixtures.
 */
export function renderReport(subject: ReportSubject): string {
  const { manifest, last } = subject;
  const compares = last !== undefined && last.id !== manifest.id && isComparable(manifest, last);
  const compared = compares ? subject : { ...subject, last: undefined };
  const sections = [
    summary,
    countries,
    accuracy,
    feedPairs,
    trend,
    changes,
    coverage,
    inputs,
    geolocation,
    routing,
    proxiesAndClouds,
    regions,
    places,
  ];
  return page(
    manifest,
    sections.flatMap((section) => section(compared) ?? []),
  );
}
