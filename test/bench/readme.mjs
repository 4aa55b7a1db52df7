const HEAD = '| Measurement | Floor | Ratio | Aim | Date |\n|---|---|---|---|---|\n';

/**
 * The README with the rows of its table of figures that a report measured again; the others keep their figures and dates.
 *
 * @param {string} readme
 * @param {{ date: string, results: readonly import('./compare.mjs').Result[] }} report
 */
export function withFigures(readme, { date, results }) {
  const begin = readme.indexOf(HEAD) + HEAD.length;
  if (begin < HEAD.length) throw new Error('The README has no table of figures to write into.');
  const end = readme.indexOf('\n\n', begin) + 1;
  const rows = new Map(
    readme
      .slice(begin, end)
      .trimEnd()
      .split('\n')
      .map((row) => [keyOf(row), row]),
  );
  for (const result of results) {
    const row = rowOf(result, date);
    rows.set(keyOf(row), row);
  }
  return `${readme.slice(0, begin)}${[...rows.values()].join('\n')}\n${readme.slice(end)}`;
}

/** Measurement and floor tell rows apart. @param {string} row */
const keyOf = (row) => row.split(' | ').slice(0, 2).join(' | ');

/**
 * @param {import('./compare.mjs').Result} result
 * @param {string} date
 */
function rowOf({ title, against, ratio, aim, runs }, date) {
  const spread = runs === 1 ? 'one run' : `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`;
  const goal = aim === null ? '-' : `${Number(aim.toFixed(3))}${ratio.median > aim ? ', missed' : ''}`;
  return `| ${title} | ${against} | ${ratio.median.toFixed(2)} (${spread}) | ${goal} | ${date} |`;
}
