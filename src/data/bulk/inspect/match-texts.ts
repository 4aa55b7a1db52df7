import type { ChosenKey } from './choose-key.js';
import { flowText } from './draft.js';
import type { MakerPart, MakerRow, Matches, NearMatch } from './match-parts.js';
import { rowsText } from './rows-text.js';

/** Says which rows have the number of an item that exists. */
export function foundTexts({ found }: Matches, environment: string): string[] {
  const rows = [...found];
  const shown = rows.slice(0, MOST_TEXTS).map(([row, [item]]) => `row ${row} is ${item}`);
  const more = rows.length > MOST_TEXTS ? `, and ${rows.length - MOST_TEXTS} more` : '';
  const several = rows.filter(([, items]) => items.length > 1);
  return [
    ...(rows.length === 0
      ? []
      : [
          `Rows whose maker and number belong to an item of ${environment} have its number: ${shown.join(', ')}${more}.`,
        ]),
    ...limited(several, ([row, [first, ...others]]) => {
      const also = `Its maker's part is also a source of ${others.join(', ')}.`;
      return `Open: row ${row} is ${first}. ${also} Change the number under \`values\` if that is meant.`;
    }),
  ];
}

/** Says which parts of the workspace are nearly those of rows, with the setting that makes them one. */
export function nearTexts(near: readonly NearMatch[], { column }: ChosenKey, rows: readonly MakerRow[]): string[] {
  const keys = new Map(rows.map(({ row, key }) => [row, key]));
  return limited(near, ({ part, known, rows: at }) => {
    const [item = ''] = known.items;
    const text = keys.get(at[0] ?? 0) ?? '';
    const [is, other] =
      text === item
        ? [`, the number that is proposed for it too. If they are two parts`, 'another number']
        : ['. If they are one part', flowText(item)];
    const setting = `values: { ${flowText(column)}: { ${flowText(text)}: ${other} } }`;
    const what = `${partText(part)} is nearly ${partText(known)}, a source of ${known.items.join(', ')}`;
    return `Open: ${rowsText(at)}: ${what}${is}, write \`${setting}\`.`;
  });
}

const MOST_TEXTS = 10;

const limited = <T>(all: readonly T[], textOf: (one: T) => string): string[] => [
  ...all.slice(0, MOST_TEXTS).map(textOf),
  ...(all.length > MOST_TEXTS ? [`Open: ${all.length - MOST_TEXTS} more rows are like these.`] : []),
];

const partText = ({ maker, number }: MakerPart): string =>
  maker === '' ? `"${number}" without a maker` : `"${number}" of "${maker}"`;
