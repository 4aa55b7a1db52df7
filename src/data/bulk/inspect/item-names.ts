import type { ChosenKey } from './choose-key.js';
import type { Column } from './column.js';
import { MOST_LINES } from './column-facts.js';
import { columnsIn, columnTexts, type Draft, withRemark, withSource } from './draft.js';
import { freeName, type KnownTable } from './known-table.js';

/** Names have one line; the embedded workspace takes 1,000 characters. */
const LONGEST_NAME = 1000;
/** The added column with the name of each item. */
const NAMES = 'Name of Item';

/** Maps the best column of names; other columns and the number name the items that have none in it. */
export function withNames(draft: Draft, table: KnownTable, key: ChosenKey): Draft {
  const { roles, rows, columns } = table;
  const candidates = (['name', 'description', 'value', 'mpn'] as const)
    .flatMap((role) => roles.get(role) ?? [])
    .filter(mayName);
  const numbered = columns.find((column) => column.name === key.column)?.filled ?? rows;
  const isWhole = ({ filled }: Column): boolean => filled >= Math.min(rows, numbered);
  // A number that is composed of what describes a part says more than the description of its symbol.
  const isComposed =
    key.of === undefined && columnTexts(key.source, key.column).some((text) => columnsIn(text).length > 1);
  const isPart = (one: Column): boolean =>
    !isComposed && one.filled * 2 >= rows && (one === roles.get('name') || one === roles.get('description'));
  const whole = candidates.filter((one) => isWhole(one) && one !== roles.get('mpn'));
  const asked = candidates.find(({ name }) => table.meanings?.[name] === 'name');
  const best = asked ?? whole[0] ?? candidates.find((one) => isWhole(one) || isPart(one));
  if (best === undefined)
    return withRemark(withName(draft, key.column), `No column has a name for each row; "${key.column}" is used.`);
  const oneLine = withoutLineBreaks(draft, best);
  if (isWhole(best)) {
    const others = candidates.filter((one) => one !== roles.get('mpn') && one.filled * 2 >= rows);
    const mayAdd = asked === undefined && key.is === 'proposed';
    const other = mayAdd ? moreDistinct(best, others, roles.get('value')) : undefined;
    return other === undefined ? withName(oneLine, best.name) : withBoth(oneLine, table, best, other);
  }
  const rest = candidates.slice(candidates.indexOf(best) + 1).map(({ name }) => name);
  const name = freeName(columns, NAMES, `${NAMES} Used`);
  const made = [
    ...[best.name, ...rest].flatMap((one) => columnTexts(draft.source, one)),
    ...columnTexts(draft.source, key.column),
  ];
  const added = withSource(oneLine, { columns: { ...oneLine.source.columns, [name]: made } });
  const missing = rows - best.filled;
  return withRemark(
    withName(added, name),
    `Open: ${missing === 1 ? '1 row has' : `${missing} rows have`} no name in "${best.name}" and ${missing === 1 ? 'is' : 'are'} named by ${rest.map((one) => `"${one}", else by `).join('')}its number.`,
  );
}

/** What distinguishes the parts that a name has in common, such as the values of all that are named "Resistor". */
function moreDistinct(best: Column, others: readonly Column[], value: Column | undefined): Column | undefined {
  const isMore = (one: Column): boolean => one.distinct * (one === value ? 1 : 0.7) > best.distinct;
  return others.find(isMore);
}

function withBoth(draft: Draft, { columns }: KnownTable, best: Column, other: Column): Draft {
  const name = freeName(columns, NAMES, `${NAMES} Used`);
  const text = [best, other].flatMap((one) => columnTexts(draft.source, one.name)).join(' ');
  return withName(withSource(draft, { columns: { ...draft.source.columns, [name]: text } }), name);
}

const mayName = ({ longest, multiline, lines }: Column): boolean =>
  longest <= LONGEST_NAME && (multiline === 0 || lines.length <= MOST_LINES);

const withName = (draft: Draft, column: string): Draft => ({
  ...draft,
  mapping: new Map([...draft.mapping, ['name', column]]),
});

/** Writes names in one line. */
export function withoutLineBreaks(draft: Draft, { name, lines }: Column): Draft {
  if (lines.length === 0) return draft;
  const replaced = Object.fromEntries(lines.map((line) => [line, line.replaceAll(/\s*[\r\n]+\s*/g, ' ')]));
  return withRemark(
    withSource(draft, { values: { ...draft.source.values, [name]: { ...draft.source.values?.[name], ...replaced } } }),
    `Line breaks in "${name}" become spaces, since a name has one line.`,
  );
}
