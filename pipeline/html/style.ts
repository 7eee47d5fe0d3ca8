import { css } from './markup.js';

/** The style sheet: system fonts, light and dark, tabular figures. */
export const STYLE = css`
  :root {
    color-scheme: light dark;
    --page: #fafaf8;
    --card: #fff;
    --ink: #1d2327;
    --soft: #5a656d;
    --line: #e4e6e4;
    --accent: #2f6f8f;
    --track: #eef1f1;
    --gain: #2a6844;
    --loss: #a23b2a;
    --part0: #3b7f9c;
    --part1: #a3c3d0;
    --part2: #d08a4e;
    --part3: #c9ccca;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #14181b;
      --card: #1b2024;
      --ink: #e4e7e8;
      --soft: #9aa5ac;
      --line: #2d343a;
      --accent: #7db8d4;
      --track: #262d32;
      --gain: #86c9a0;
      --loss: #e79a86;
      --part0: #5fa3c2;
      --part1: #35566b;
      --part2: #d89a62;
      --part3: #4a5157;
    }
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0 auto;
    padding: 2rem 1.25rem 5rem;
    max-width: 74rem;
    background: var(--page);
    color: var(--ink);
    font:
      15px/1.55 system-ui,
      sans-serif;
  }
  a {
    color: var(--accent);
    text-underline-offset: 2px;
  }
  h1 {
    margin: 0;
    font-size: clamp(1.5rem, 4.5vw, 2rem);
    font-weight: 600;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h2 {
    margin: 0 0 1rem;
    font-size: 1.35rem;
    font-weight: 600;
  }
  h3 {
    margin: 1.5rem 0 0.5rem;
    font-size: 1rem;
    font-weight: 600;
  }
  small {
    color: var(--soft);
    font-size: 0.86em;
  }
  code {
    font:
      0.86em/1.5 ui-monospace,
      monospace;
    unicode-bidi: isolate;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  header p {
    margin: 0.25rem 0;
    color: var(--soft);
  }
  header .kicker {
    font-size: 0.8rem;
    letter-spacing: 0.08em;
    text-transform: uppercase;
  }
  nav ul,
  .tiles,
  .legend {
    list-style: none;
    margin: 1rem 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 1.1rem;
  }
  section {
    margin-top: 1.5rem;
    padding: 1.5rem;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 10px;
  }
  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr));
    gap: 0.75rem;
  }
  .tiles li {
    padding: 0.8rem 1rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    color: var(--soft);
  }
  .tiles strong {
    display: block;
    color: var(--ink);
    font-size: 1.5rem;
    font-weight: 600;
    line-height: 1.25;
    font-variant-numeric: tabular-nums;
  }
  .tiles small {
    display: block;
  }
  .news {
    margin: 1rem 0 1.5rem;
    padding-left: 1.2rem;
  }
  details {
    border-bottom: 1px solid var(--line);
  }
  summary {
    padding: 0.45rem 0;
    cursor: pointer;
  }
  details[open] > summary {
    margin-bottom: 0.4rem;
  }
  figure {
    margin: 0 0 1.25rem;
  }
  figcaption {
    margin-bottom: 0.35rem;
    font-weight: 600;
  }
  .groups {
    columns: 22rem;
    column-gap: 2.5rem;
  }
  section > :last-child {
    margin-bottom: 0;
  }
  span.gain {
    color: var(--gain);
  }
  span.loss {
    color: var(--loss);
  }
  span.same {
    color: var(--soft);
  }
  .attribution {
    padding-left: 0.8rem;
    border-left: 3px solid var(--line);
    color: var(--soft);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  @media (max-width: 40rem) {
    .tiles {
      grid-template-columns: repeat(2, 1fr);
    }
    body {
      padding: 1.25rem 0.75rem 3rem;
    }
    section {
      padding: 1rem 0.85rem;
    }
    .groups {
      columns: auto;
    }
  }
  @media print {
    section {
      border: 0;
      padding: 0;
    }
    nav {
      display: none;
    }
  }
`;
