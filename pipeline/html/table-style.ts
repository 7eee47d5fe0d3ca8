import { css } from './markup.js';

/** The style of tables: they scroll, and tables of text become cards on narrow screens. */
export const TABLE_STYLE = css`
  .scroll {
    overflow-x: auto;
    margin: 0.25rem 0 1.75rem;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  caption {
    padding: 0 0 0.35rem;
    font-weight: 600;
    text-align: left;
  }
  th,
  td {
    padding: 0.34rem 1.1rem 0.34rem 0;
    border-bottom: 1px solid var(--line);
    text-align: left;
    vertical-align: top;
    font-weight: 400;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  thead th {
    color: var(--soft);
    font-size: 0.86em;
    white-space: nowrap;
    vertical-align: bottom;
  }
  td {
    overflow-wrap: break-word;
  }
  tbody th {
    min-width: 6.5rem;
    position: sticky;
    left: 0;
    background: var(--card);
  }
  th.figure,
  td.figure {
    text-align: right;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  td.picture {
    width: 28%;
    min-width: 7rem;
    vertical-align: top;
  }
  td.word {
    white-space: nowrap;
  }
  td ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  td details {
    border: 0;
  }
  td summary {
    padding: 0;
  }
  section > :last-child > .scroll:last-child {
    margin-bottom: 0;
  }
  .matrices {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.75rem;
    margin-top: 1rem;
  }
  .matrices .scroll {
    margin: 0;
  }
  .groups .scroll {
    margin-top: 0;
    break-inside: avoid;
  }
  @media (max-width: 40rem) {
    td.picture {
      min-width: 4rem;
    }
    .text thead {
      position: absolute;
      clip-path: inset(50%);
    }
    .text tr,
    .text th,
    .text td {
      display: block;
    }
    .text tr {
      padding: 0.35rem 0;
      border-bottom: 1px solid var(--line);
    }
    .text tbody th,
    .text td {
      border: 0;
      padding: 0.1rem 0;
      white-space: normal;
      text-align: left;
    }
    .text tbody th {
      font-weight: 600;
    }
    .text td::before {
      content: attr(data-name) ': ';
      color: var(--soft);
    }
    .text td:empty {
      display: none;
    }
  }
`;
