import { css } from '../../../pipeline/html/markup.js';

/** The style of the documentation: navigation and prose. */
export const DOCS_STYLE = css`
  .docs {
    display: grid;
    grid-template-columns: 12.5rem minmax(0, 1fr);
    gap: 2.5rem;
    margin-top: 1.5rem;
  }
  nav.guides {
    align-self: start;
    position: sticky;
    top: 1rem;
    max-height: calc(100vh - 2rem);
    overflow: auto;
    font-size: 0.93em;
  }
  nav.guides p {
    margin: 1rem 0 0.25rem;
    color: var(--soft);
    font-size: 0.86em;
    letter-spacing: 0.04em;
  }
  nav.guides p:first-child {
    margin-top: 0;
  }
  nav.guides ul {
    display: block;
    margin: 0;
  }
  nav.guides a {
    display: block;
    padding: 0.12rem 0.5rem;
    border-left: 2px solid var(--line);
    color: var(--ink);
    text-decoration: none;
  }
  nav.guides a:hover {
    text-decoration: underline;
  }
  nav.guides a[aria-current] {
    border-color: var(--accent);
    color: var(--accent);
    font-weight: 600;
  }
  .docs article {
    min-width: 0;
    max-width: 56rem;
    overflow-wrap: anywhere;
  }
  .docs table {
    overflow-wrap: break-word;
  }
  .docs h2 {
    margin: 2.25rem 0 0.6rem;
  }
  .docs section h2 {
    margin-top: 0;
  }
  .docs h3 {
    margin: 1.75rem 0 0.5rem;
    font-size: 1.08rem;
  }
  .docs :is(h2, h3, h4) a {
    color: inherit;
    text-decoration: none;
  }
  .docs :is(h2, h3, h4) a:hover {
    text-decoration: underline;
  }
  .docs h2 code {
    font-size: 0.95em;
  }
  .docs li {
    margin: 0.2rem 0;
  }
  .docs .scroll {
    margin: 0.75rem 0 1.25rem;
  }
  .docs tbody th {
    background: var(--page);
  }
  .crumbs,
  .note {
    margin: 0.25rem 0;
    color: var(--soft);
  }
  .contents {
    margin: 1rem 0;
    border: 1px solid var(--line);
    border-radius: 8px;
    padding: 0.2rem 0.9rem;
    background: var(--card);
  }
  .contents ul {
    columns: 18rem;
    margin: 0 0 0.6rem;
    padding-left: 1.1rem;
  }
  .contents li {
    break-inside: avoid;
    margin: 0 0 0.4rem;
  }
  .guide-list,
  .tags {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .guide-list {
    columns: 22rem;
    column-gap: 2rem;
  }
  .guide-list li {
    break-inside: avoid;
    margin: 0 0 0.6rem;
  }
  .guide-list small {
    display: block;
  }
  .tags {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 1.1rem;
  }
  pre code {
    font: inherit;
    white-space: pre;
    overflow-wrap: normal;
  }
  .docs th code {
    overflow-wrap: break-word;
  }
  .code {
    position: relative;
  }
  .copy {
    position: absolute;
    top: 0.4rem;
    right: 0.4rem;
    padding: 0.05rem 0.5rem;
    background: var(--card);
    border-color: var(--line);
    color: var(--soft);
    font-size: 0.8em;
    opacity: 0;
  }
  .code:hover .copy,
  .copy:focus-visible {
    opacity: 1;
  }
  @media (hover: none) {
    .copy {
      opacity: 1;
    }
  }
  blockquote {
    margin: 0.75rem 0;
    padding-left: 0.8rem;
    border-left: 3px solid var(--line);
  }
  @media (max-width: 56rem) {
    .docs {
      display: block;
    }
    nav.guides {
      display: none;
    }
  }
  @media (max-width: 40rem) {
    .contents ul,
    .guide-list {
      columns: auto;
    }
  }
`;
