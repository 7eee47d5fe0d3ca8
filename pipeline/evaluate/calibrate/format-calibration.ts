import { alignColumns } from '../../release/columns.js';
import { printableLines } from '../../text/printable.js';
import type { Calibration, Figures, LevelFit } from './calibrate.js';
import type { FittedRadius } from './fit-radius.js';
import type { Reliability } from '../reliability.js';
import { grouped } from '../../text/figure-text.js';

/** Formats a calibration as text: the numbers for the tables of the merge, and what they are worth. */
export function formatCalibration({
  networks,
  operators,
  weights,
  points,
  reliability,
  radius,
}: Calibration): string {
  return printableLines([
    `${grouped(networks)} networks whose place ${operators} operators state`,
    ...weights.flatMap((fit) => ['', ...weightLines(fit)]),
    '',
    'CONFIDENCE (merge/confidence.ts):',
    ...Object.entries(points).map(([level, fitted]) => `  ${level}: ${JSON.stringify(fitted)},`),
    '',
    'confidence of operators that the fit did not see:',
    ...reliabilityLines(reliability),
    '',
    'accuracy_radius that covers the truth in two of three cases (merge/accuracy-radius.ts):',
    ...radiusLines(radius),
  ]);
}

function weightLines({ level, networks, numbers, present, fitted, heldOut }: LevelFit): string[] {
  const rows = numbers.map((number) => [
    number.name,
    String(number.present),
    String(number.fitted),
    number.spread.join('–'),
    grouped(number.networks),
  ]);
  return [
    `${level}: right in percent of ${grouped(networks)} networks (mean of the operators): present weights ` +
      `${shares(present)}, fitted ${shares(fitted)}, fitted without the operator ${shares(heldOut)}`,
    ...alignColumns([['weight', 'present', 'fitted', 'spread', 'networks'], ...rows]),
  ];
}

function shares({ all, mean }: Figures): string {
  return `${all.toFixed(1)} (${mean.toFixed(1)})`;
}

function reliabilityLines(reliability: readonly Reliability[]): string[] {
  const rows = reliability.flatMap(({ level, rows: found }) =>
    found.map(({ from, networks, says, right }) => [
      level,
      `${from}–${from + 9}`,
      grouped(networks),
      says.toFixed(0),
      right.toFixed(0),
    ]),
  );
  return [
    ...alignColumns([['level', 'confidence', 'networks', 'mean', 'right %'], ...rows]),
    ...reliability.flatMap(({ level, error, errorOfNetworks }) =>
      error === undefined || errorOfNetworks === undefined
        ? []
        : `${level}: calibration error ${error.toFixed(1)} points; ${errorOfNetworks.toFixed(1)} if every network counts the same`,
    ),
  ];
}

function radiusLines(radius: readonly FittedRadius[]): string[] {
  const rows = radius.map(({ level, claimedKm, distances, operators, covered, radiusKm }) => [
    level,
    claimedKm === undefined ? 'wider or none' : `≤ ${claimedKm}`,
    grouped(distances),
    String(operators),
    covered === undefined ? '' : (100 * covered).toFixed(0),
    radiusKm.toFixed(0),
  ]);
  return alignColumns([
    ['coordinates of', 'claimed km', 'distances', 'operators', 'covered %', 'two of three km'],
    ...rows,
  ]);
}
