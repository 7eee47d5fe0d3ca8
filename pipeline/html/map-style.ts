import { css } from './markup.js';

/** The style of maps and heat maps. Both colours go from light to dark, so they do not depend on the hue. */
export const MAP_STYLE = css`
  :root {
    --blue0: #e3eef4;
    --blue1: #b3d3e4;
    --blue2: #71abcb;
    --blue3: #33789f;
    --blue4: #124666;
    --orange0: #fbeee2;
    --orange1: #f2cda8;
    --orange2: #e09a5c;
    --orange3: #b5622a;
    --orange4: #74360f;
    --unknown: #f4f4f2;
    --shore: #c5cbcd;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --blue0: #20303a;
      --blue1: #27506a;
      --blue2: #37789b;
      --blue3: #6aaccc;
      --blue4: #c4e3f1;
      --orange0: #352b23;
      --orange1: #5f4129;
      --orange2: #97602f;
      --orange3: #d08f51;
      --orange4: #f7d9b5;
      --unknown: #1f2428;
      --shore: #46525a;
    }
  }
  .shapes {
    position: absolute;
    width: 0;
    height: 0;
  }
  .maps {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr));
    gap: 1.25rem 2rem;
  }
  .map {
    margin: 0;
  }
  .map > svg {
    display: block;
    width: 100%;
    height: auto;
  }
  .map g {
    stroke: var(--shore);
    stroke-width: 0.5;
  }
  .map g:hover {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .map .legend {
    margin: 0.25rem 0 0;
    gap: 0.1rem 0.9rem;
  }
  .unknown {
    fill: var(--unknown);
  }
  .heat {
    display: block;
    padding: 0 0.35rem;
    border-radius: 3px;
  }
  ${['blue', 'orange'].map((colour) => [0, 1, 2, 3, 4].map((i) => shade(`${colour}${i}`)))}
  .heat.blue3,
  .heat.blue4,
  .heat.orange3,
  .heat.orange4 {
    color: var(--card);
  }
`;

function shade(name: string) {
  return css`
    .${name} {
      fill: var(--${name});
      background: var(--${name});
    }
  `;
}
