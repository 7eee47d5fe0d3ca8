import { css } from '../../../pipeline/html/markup.js';

/** The style of the pages about addresses, prefixes, ASes and names: headings, the map with its marks, agreement. */
export const LOOKUP_STYLE = css`
  .about {
    margin: 1.25rem 0 0;
    color: var(--soft);
  }
  .about p {
    margin: 0;
  }
  .kicker {
    margin: 0;
    color: var(--soft);
    font-size: 0.86em;
  }
  .address {
    margin: 0;
    font:
      600 clamp(1.3rem, 6vw, 2.4rem)/1.2 ui-monospace,
      monospace;
    letter-spacing: -0.02em;
    overflow-wrap: anywhere;
  }
  .lead {
    margin: 0.25rem 0 0;
    font-size: 1.15rem;
  }
  .place > svg {
    display: block;
    width: 100%;
    height: auto;
  }
  .place .legend svg {
    width: 1.1rem;
    height: 1.1rem;
    vertical-align: -0.2rem;
  }
  .land {
    fill: var(--track);
    stroke: var(--shore);
    stroke-width: 0.5;
  }
  .here {
    fill: var(--blue1);
    stroke: var(--shore);
    stroke-width: 0.5;
  }
  .pin {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
  }
  path.differs,
  circle.agrees {
    stroke: var(--card);
    stroke-width: 1;
  }
  circle.agrees {
    fill: var(--accent);
  }
  path.differs {
    fill: var(--loss);
  }
  .json {
    margin: 1rem 0;
    color: var(--soft);
  }
  .mark {
    display: inline-block;
    padding: 0 0.5rem;
    border: 1px solid var(--line);
    border-radius: 1rem;
    color: var(--soft);
    font-size: 0.9em;
    white-space: nowrap;
  }
  .mark.good {
    color: var(--gain);
    border-color: currentcolor;
  }
  .mark.bad {
    color: var(--loss);
    border-color: currentcolor;
  }
  .agrees {
    color: var(--gain);
  }
  .differs {
    color: var(--loss);
  }
  .further {
    color: var(--soft);
  }
  @media (max-width: 40rem) {
    .place > svg .pin {
      r: 20px;
      stroke-width: 6;
    }
    circle.agrees {
      stroke-width: 2;
    }
    .place > svg .agrees {
      r: 12px;
    }
    .place > svg .differs {
      scale: 2.2;
    }
    .mark {
      border-radius: 0.6rem;
      white-space: normal;
    }
  }
`;
