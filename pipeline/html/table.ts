import { html, type Insert, type Markup } from './markup.js';

/** A column with its heading and kind: figures (aligned right), charts, words that do not wrap, or text. */
export interface Column {
  readonly name: string;
  readonly kind?: 'figure' | 'picture' | 'word';
}

/** A table. The first column has the row headings. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Insert[])[];
  /** Whether rows are shown as cards on narrow screens: for tables with much text. */
  readonly isText?: boolean;
}

/** Renders a table with headings for columns and rows. It scrolls on narrow screens. */
export function table({ caption, columns, rows, isText = false }: Table): Markup {
  const headings = columns.map(({ name, kind }) => html`<th scope="col" ${classOf(kind)}>${name}</th>`);
  const body = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell, i) => cellOf(cell, columns[i]!, { isFirst: i === 0, isText }))}
      </tr> `,
  );
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table${isText && html` class="text"`}>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${headings}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div> `;
}

function cellOf(
  cell: Insert,
  { name, kind }: Column,
  { isFirst, isText }: { readonly isFirst: boolean; readonly isText: boolean },
): Markup {
  if (isFirst) return html`<th scope="row">${cell}</th>`;
  return html`<td${classOf(kind)}${isText && html` data-name="${name}"`}>${cell}</td>`;
}

function classOf(kind: Column['kind']): Markup | undefined {
  return kind && html` class="${kind}"`;
}
