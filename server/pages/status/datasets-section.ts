import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import { size } from '../../../pipeline/html/wording.js';
import type { Snapshot } from '../../release/snapshot.js';
import type { StatusWords } from './words.js';

/** Renders the datasets for download; nothing without any. */
export function datasetsSection(datasets: Snapshot['datasets'], words: StatusWords): Markup | undefined {
  if (datasets.size === 0) return undefined;
  const rows = [...datasets].map(([name, dataset]): Insert[] => {
    const [file] = dataset.editions.values();
    return [
      html`<a href="/api/datasets/${name}/info"><code>${name}</code></a>`,
      html`<code>${file!.filename}</code><br /><small>sha256 ${file!.sha256.slice(0, 16)}…</small>`,
      size(file!.sizeBytes, words.bytes),
      words.termsOf[dataset.origin.terms],
      [...dataset.editions.keys()].join(', '),
    ];
  });
  return renderSection({
    id: 'datasets',
    title: words.datasets,
    body: html`<p>${words.datasetsNote}</p>
      ${table({
        caption: `${words.datasets} (${datasets.size})`,
        columns: [
          { name: words.dataset },
          { name: words.file },
          { name: words.size, kind: 'figure' },
          { name: words.terms },
          { name: words.editions },
        ],
        rows,
        isText: true,
      })}`,
  });
}
