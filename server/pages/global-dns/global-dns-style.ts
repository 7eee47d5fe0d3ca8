import { css } from '../../../pipeline/html/markup.js';

/** The style of the pages of global DNS: the form, the dots over the map and the colours of answers. */
export const GLOBAL_DNS_STYLE = css`
  .question {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem 1rem;
    align-items: end;
  }
  .question label {
    display: grid;
    gap: 0.2rem;
    color: var(--soft);
  }
  .question :is(input, select, button) {
    height: 2.4rem;
  }
  .question :is(input, select) {
    color: var(--ink);
  }
  .live {
    position: relative;
    margin: 1.5rem 0;
  }
  .live .layer {
    position: absolute;
    inset: 0;
    width: 100%;
    height: auto;
    pointer-events: none;
  }
  /* The dots of a run have the numbers of their arrival. */
  .live:has(.ranked) .layer:not(.ranked) {
    display: none;
  }
  .live .count {
    position: absolute;
    right: 0;
    bottom: 0;
    padding: 0 0.4rem;
    background: var(--page);
    font-variant-numeric: tabular-nums;
  }
  #answers td:nth-child(2) {
    min-width: 11rem;
  }
  .live .layer g {
    pointer-events: auto;
  }
  .layer text,
  .key text {
    fill: #fff;
    font-size: 7px;
    text-anchor: middle;
    dominant-baseline: central;
  }
  .key {
    width: 1.3rem;
    height: 1.3rem;
    vertical-align: middle;
  }
  .key text {
    font-size: 9px;
  }
  .layer circle {
    stroke: var(--card);
    stroke-width: 1;
  }
  .group0 {
    fill: #1f6f9c;
  }
  .group1 {
    fill: #b5521b;
  }
  .group2 {
    fill: #2a7a4b;
  }
  .group3 {
    fill: #8a3f8f;
  }
  .group4 {
    fill: #7a6a00;
  }
  .group5 {
    fill: #b02a4f;
  }
  .group6 {
    fill: #4a55b8;
  }
  .group7 {
    fill: #5b5b5b;
  }
  .failed {
    fill: #9a2f2f;
  }
  @media (max-width: 40rem) {
    .layer circle {
      r: 12px;
    }
    .layer text {
      font-size: 14px;
    }
  }
`;
