import type { ComparedObject, Comparison } from '#delivery/planning/comparison.js';
import { fieldText } from './field-text.js';
import type { Palette } from './palette.js';

/** Compares two workspaces object by object, with the totals. */
export const comparisonText = (found: Comparison, palette: Palette): string =>
  comparisonWith(
    found,
    [legendText(found), '', ...found.objects.map((object) => objectText(object, found, palette))],
    palette,
  );

/** The totals of a comparison, without the objects. */
export const comparisonSummaryText = (found: Comparison, palette: Palette): string =>
  comparisonWith(found, [], palette);

function comparisonWith(found: Comparison, body: readonly string[], palette: Palette): string {
  const { from, to, objects, equal, requests } = found;
  const head = palette.bold(
    `Environment ${from.environment} (workspace "${from.workspace}") compared with ${to.environment} (workspace "${to.workspace}")`,
  );
  const spent = palette.dim(`Requests: ${requests} used.`);
  const count = equal === 1 ? '1 object' : `${equal} objects`;
  if (objects.length === 0)
    return `${[head, '', palette.green(`No differences (${count} compared).`), spent].join('\n')}\n`;
  const isPromotable = objects.some(({ what }) => what === 'only-from' || what === 'different');
  const next = isPromotable
    ? ` \`dexsync promote --from ${from.environment} --to ${to.environment}\` makes a plan that brings changes from ${from.environment} to ${to.environment}.`
    : '';
  return `${[head, ...body, `${palette.bold(`${differencePhrases(found).join(', ')}, ${equal} equal.`)}${next}`, spent].join('\n')}\n`;
}

/** The totals of a comparison: `2 only in dev`, `1 different`. */
export const differencePhrases = (found: Comparison): string[] =>
  differenceCounts(found).map(([words, count]) => `${count} ${words}`);

/** The totals of a comparison as words and numbers. */
export const differenceCounts = ({ objects, ...ends }: Comparison): [words: string, count: number][] =>
  Object.entries(resultWords(ends)).flatMap(([what, words]): [string, number][] => {
    const count = objects.filter((object) => object.what === what).length;
    return count === 0 ? [] : [[words, count]];
  });

type Ends = Pick<Comparison, 'from' | 'to'>;

/** Words for each result of comparing an object. */
export const resultWords = ({ from, to }: Ends): Readonly<Record<ComparedObject['what'], string>> => ({
  'only-from': `only in ${from.environment}`,
  'only-to': `only in ${to.environment}`,
  different: 'different',
  unclear: 'not comparable',
});

const MARKS = {
  'only-from': ['+', 'green'],
  'only-to': ['-', 'red'],
  different: ['~', 'yellow'],
  unclear: ['?', 'magenta'],
} as const;

/** The mark of a difference in a list. */
export const differenceMark = (what: ComparedObject['what']): string => MARKS[what][0];

const legendText = ({ from, to }: Ends): string =>
  `Marked - and left of ->: what ${to.environment} has. Marked + and right of it: what ${from.environment} has.`;

function objectText({ address, what, fields }: ComparedObject, ends: Ends, palette: Palette): string {
  const [mark, tone] = MARKS[what];
  const head = `  ${palette[tone](mark)} ${palette.bold(address)}  ${palette[tone](resultWords(ends)[what])}`;
  const lines = fields.map((field) => fieldText(field, 'both', palette).replaceAll(/^/gm, '      '));
  return `${[head, ...lines].join('\n')}\n`;
}
