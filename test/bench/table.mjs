const HEAD = ['measurement', 'against', 'median', 'min', 'max', 'aim', 'of it start', 'runs'];

/**
 * The report for a person.
 *
 * @param {{ date: string, node: string, cores: number, terraform: string | null, results: readonly import('./compare.mjs').Result[] }} report
 */
export function table({ date, node, cores, terraform, results }) {
  const rows = [HEAD, ...results.map(row)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => aligned(cell, column, widths[column]))
      .join('  ')
      .trimEnd(),
  );
  const rates = new Map(results.flatMap(({ title, rate }) => (rate === undefined ? [] : [[title, rate]])));
  const notes = [
    ...[...rates].map(([title, { what, aMinute }]) => `${title}: ${aMinute} ${what} a minute here.`),
    ...results.map(({ title, against, note }) => `${title} against ${against}: ${note}`),
  ];
  return `${[
    `The time of dexsync by the time of its floor, process by process, in pairs of one run (${date}, Node ${node}, ${cores} cores).`,
    '"of it start" is the part of the time of dexsync that `dexsync --version` takes too.',
    '',
    ...lines,
    '',
    ...notes,
    ...(terraform === null ? ['terraform not on PATH: skipped'] : []),
  ].join('\n')}\n`;
}

/** @param {import('./compare.mjs').Result} result */
const row = ({ title, against, ratio, aim, start, runs }) => [
  title,
  against,
  ratio.median.toFixed(2),
  ratio.min.toFixed(2),
  ratio.max.toFixed(2),
  aim === null ? '-' : aim.toFixed(2),
  start === null ? '-' : `${Math.round(start.median * 100)} %`,
  String(runs),
];

/**
 * @param {string} cell
 * @param {number} column
 * @param {number} width
 */
const aligned = (cell, column, width) => (column < 2 ? cell.padEnd(width) : cell.padStart(width));
