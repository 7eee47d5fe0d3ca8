import { css } from './markup.js';

/** The style of bars, stacks, legends and small charts. */
export const CHART_STYLE = css`
  .bar {
    display: block;
    width: 100%;
    height: 0.7rem;
    border-radius: 2px;
    margin-top: 0.42rem;
  }
  figure .bar {
    height: 1.2rem;
  }
  .legend {
    margin: 0.5rem 0 1rem;
    color: var(--soft);
    font-size: 0.9em;
  }
  .legend svg {
    width: 0.75em;
    height: 0.75em;
    margin-right: 0.45em;
  }
  .track {
    fill: var(--track);
  }
  .fill {
    fill: var(--accent);
  }
  .tick {
    stroke: var(--ink);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .part0 {
    fill: var(--part0);
  }
  .part1 {
    fill: var(--part1);
  }
  .part2 {
    fill: var(--part2);
  }
  .part3 {
    fill: var(--part3);
  }
  .panels {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
    gap: 1.1rem 1.4rem;
    margin: 1rem 0;
  }
  .panels figure {
    margin: 0;
  }
  .panels figcaption {
    margin: 0;
    color: var(--soft);
    font-size: 0.86em;
    font-weight: 400;
  }
  .panels strong {
    font-size: 1.2rem;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .spark {
    position: relative;
    padding-right: 4.6rem;
  }
  .spark small {
    position: absolute;
    top: -0.5em;
    right: 0;
    width: 4.2rem;
    line-height: 1;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .spark small + small {
    top: auto;
    bottom: -0.5em;
  }
  .trend {
    display: block;
    width: 100%;
    height: 2.6rem;
    margin: 0.6rem 0;
    overflow: visible;
  }
  .trend path {
    fill: none;
    stroke: var(--accent);
    stroke-width: 2;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .trend .dot {
    stroke-width: 5;
    stroke-linecap: round;
  }
  .trend .grid {
    stroke: var(--line);
    stroke-width: 1;
  }
`;
