import { css } from '../../../pipeline/html/markup.js';

/** The style of an endpoint in the reference: its samples and the form that calls it. */
export const ENDPOINT_STYLE = css`
  .endpoint {
    margin-top: 1.5rem;
    padding: 0 1.5rem 1.25rem;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 10px;
  }
  .endpoint h2 {
    margin-top: 1.25rem;
    font:
      600 1.05rem/1.4 ui-monospace,
      monospace;
    overflow-wrap: anywhere;
  }
  .endpoint tbody th {
    background: var(--card);
  }
  .samples details:last-child {
    border-bottom: 0;
  }
  .try fieldset {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
    gap: 0.75rem 1rem;
    align-items: end;
    margin: 1rem 0 0;
    padding: 0.75rem 1rem 1rem;
    border: 1px solid var(--line);
    border-radius: 8px;
  }
  .try legend {
    padding: 0 0.4rem;
    font-weight: 600;
  }
  .try label span {
    display: block;
    margin-bottom: 0.15rem;
  }
  .try :is(input, select, textarea) {
    width: 100%;
    font-family: ui-monospace, monospace;
    font-size: 0.93em;
  }
  .try .wide,
  .try .note {
    grid-column: 1 / -1;
    margin: 0;
  }
  .try button {
    justify-self: start;
  }
  .try [role='status'] {
    margin: 0.5rem 0;
    overflow-wrap: anywhere;
  }
  .try [role='status']:empty {
    display: none;
  }
  .example {
    margin: 0.5rem 0 0;
    overflow-wrap: anywhere;
  }
  @media (max-width: 40rem) {
    .endpoint {
      padding: 0 0.85rem 1rem;
    }
  }
`;
