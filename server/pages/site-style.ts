import { css } from '../../pipeline/html/markup.js';

/** The style of the pages, besides that of the report. */
export const SITE_STYLE = css`
  .skip {
    position: absolute;
    left: -100vw;
  }
  .skip:focus {
    left: 1rem;
    top: 0.5rem;
    background: var(--card);
    padding: 0.3rem 0.6rem;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  body {
    padding-top: 1rem;
  }
  header.site {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1.25rem;
  }
  header.site nav {
    margin-left: auto;
  }
  header.site nav ul {
    margin: 0;
  }
  header.site nav a[aria-current] {
    color: var(--ink);
    text-decoration: none;
    font-weight: 600;
  }
  .brand {
    font-size: 1.15rem;
    font-weight: 700;
    color: var(--ink);
    text-decoration: none;
    letter-spacing: -0.01em;
  }
  form.search {
    display: flex;
    flex: 1 1 18rem;
    max-width: 34rem;
    gap: 0.5rem;
  }
  input,
  select,
  button,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--card);
    border: 1px solid var(--soft);
    border-radius: 6px;
    padding: 0.35rem 0.6rem;
  }
  input {
    min-width: 0;
  }
  form.search input {
    flex: 1;
  }
  ::placeholder {
    color: var(--soft);
    opacity: 1;
  }
  button {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--card);
    cursor: pointer;
    white-space: nowrap;
  }
  footer.site {
    margin-top: 2rem;
    color: var(--soft);
    font-size: 0.86em;
  }
  .facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.3rem 1.25rem;
    margin: 0.75rem 0;
  }
  .facts .bar {
    margin: 0.1rem 0 0.4rem;
  }
  .facts dt {
    color: var(--soft);
  }
  .facts dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
    gap: 1rem 2rem;
  }
  .columns > * {
    min-width: 0;
  }
  .answer {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(14rem, 1fr);
    gap: 1rem 2rem;
    margin: 1rem 0;
  }
  .answer h2 {
    margin-bottom: 0.5rem;
  }
  pre {
    margin: 0.5rem 0;
    padding: 0.75rem 1rem;
    max-height: 28rem;
    overflow: auto;
    background: var(--track);
    border-radius: 6px;
    font:
      0.86em/1.5 ui-monospace,
      monospace;
  }
  @media (max-width: 40rem) {
    .facts {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    .facts dd {
      margin-bottom: 0.4rem;
    }
    header.site nav {
      margin-left: 0;
    }
    .answer {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
