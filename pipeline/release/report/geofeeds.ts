import type { ManifestInputFile } from '../contract.js';
import { geofeedOwnership } from '../geofeed-ownership.js';
import { html, NOTHING, type Markup } from '../../html/markup.js';
import { table } from '../../html/table.js';
import { counted, figure } from '../../html/wording.js';

/** The rows of geofeeds inside and outside of the blocks whose registrations name them; nothing without such files. */
export function geofeeds(files: readonly ManifestInputFile[]): Markup {
  const all = geofeedOwnership(files);
  if (all.length === 0) return NOTHING;
  const left = all.length - MOST_FILES;
  return html`${table({
    caption: 'Geofeeds and the blocks whose registrations name them',
    columns: [
      { name: 'File' },
      { name: 'Rows inside', kind: 'figure' },
      { name: 'Partly', kind: 'figure' },
      { name: 'Outside', kind: 'figure' },
    ],
    rows: all
      .slice(0, MOST_FILES)
      .map(({ file, inside, partly, outside }) => [file, figure(inside), figure(partly), figure(outside)]),
  })}${left > 0 && html`<p>${counted(left, 'more file')} with fewer rows outside.</p> `}`;
}

/** Registrations may name thousands. */
const MOST_FILES = 20;
