import type { ManifestInput } from '../release/contract.js';
import { geofeedOwnership } from '../release/geofeed-ownership.js';
import { ownFiles } from '../release/own-files.js';
import { isHandWritten } from '../snapshot/sources.js';
import { grouped } from '../text/figure-text.js';

/** The files with the most rejected rows: their rejected rows by reason, with the first example. */
export function rejectionLines(input: ManifestInput): string[] {
  const files = ownFiles(input).filter(({ rejected }) => rejected > 0);
  const most = new Set([...files].sort((a, b) => b.rejected - a.rejected).slice(0, MOST_FILES));
  const others = files.filter((file) => !most.has(file));
  const lines = files
    .filter((file) => most.has(file))
    .map(({ id, rejections }) => {
      const reasons = Object.entries(rejections).map(([reason, { count }]) => `${reason} ${grouped(count)}`);
      const [first] = Object.values(rejections)
        .flatMap(({ examples }) => examples)
        .sort((a, b) => a.position - b.position);
      const example = first ? `; first at ${first.position}: ${first.excerpt}` : '';
      return `  ${id}: ${reasons.join(', ')}${example}`;
    });
  if (others.length === 0) return lines;
  const rejected = others.reduce((sum, file) => sum + file.rejected, 0);
  return [...lines, `  ${grouped(others.length)} more files with ${grouped(rejected)} rejected rows`];
}

/** How many rows of geofeeds are in blocks whose registrations name them, and the files with the most other rows. */
export function ownershipLines(input: ManifestInput): string[] {
  const geofeeds = geofeedOwnership(ownFiles(input));
  if (geofeeds.length === 0) return [];
  const sum = (figure: 'inside' | 'partly' | 'outside'): string =>
    grouped(geofeeds.reduce((total, one) => total + one[figure], 0));
  const withOthers = geofeeds.filter(({ outside }) => outside > 0).slice(0, MOST_GEOFEEDS);
  return [
    `  ${input.feed}: rows of ${grouped(geofeeds.length)} geofeeds in blocks whose registration names them: ` +
      `inside ${sum('inside')}, partly ${sum('partly')}, outside ${sum('outside')}`,
    ...withOthers.map(
      ({ file, inside, partly, outside }) =>
        `    ${file}: inside ${grouped(inside)}, partly ${grouped(partly)}, outside ${grouped(outside)}`,
    ),
  ];
}

/** A folder of geofeeds may have thousands of files. */
const MOST_FILES = 20;
const MOST_GEOFEEDS = 5;

/** A line for each bad row of a file that is written by hand, because its writer must mend it. */
export function badRowLines(input: ManifestInput): string[] {
  const files = ownFiles(input).filter(({ id, rejected }) => rejected > 0 && isHandWritten(input.feed, id));
  return files.flatMap(({ id, rejections, rejected }) => {
    const rows = Object.entries(rejections).flatMap(([reason, { examples }]) =>
      examples.map(({ position, excerpt }) => ({ position, text: `${reason}: ${excerpt}` })),
    );
    rows.sort((a, b) => a.position - b.position);
    const lines = rows.map(({ position, text }) => `BAD ROW ${id} line ${position}: ${text}`);
    const more = rejected - rows.length;
    return more === 0 ? lines : [...lines, `BAD ROW ${id}: ${grouped(more)} more`];
  });
}
