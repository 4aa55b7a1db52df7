const HEAD = '| Measurement | Floor | Ratio | Aim | Date |\n|---|---|---|---|---|\n';

/**
 * The page of figures with the rows of its table that a report measured again; the others keep their figures and dates.
 *
 * @param {string} page
 * @param {{ date: string, results: readonly import('./compare.mjs').Result[] }} report
 */
export function withFigures(page, { date, results }) {
  const begin = page.indexOf(HEAD) + HEAD.length;
  if (begin < HEAD.length) throw new Error('The page has no table of figures to write into.');
  const end = page.indexOf('\n\n', begin) + 1;
  const rows = new Map(
    page
      .slice(begin, end)
      .trimEnd()
      .split('\n')
      .map((row) => [keyOf(row), row]),
  );
  for (const result of results) {
    const row = rowOf(result, date);
    rows.set(keyOf(row), row);
  }
  return `${page.slice(0, begin)}${[...rows.values()].join('\n')}\n${page.slice(end)}`;
}

/** Identifies a row by its measurement and floor. @param {string} row */
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
