import type { ImportSource } from '#core/jobs/source.js';
import { type ChosenKey, countValues, deviceIn } from './choose-key.js';
import type { Column } from './column.js';
import { bareHeader } from './column-names.js';
import { columnsIn, columnTexts, type Draft, withRemark, withSource } from './draft.js';
import { freeName, type KnownTable } from './known-table.js';
import { emptied } from './placeholder-texts.js';

/** Names have one line; the embedded workspace takes 1,000 characters. */
const LONGEST_NAME = 1000;
/** The added column with the name of each item. */
const NAMES = 'Name of Item';

/** The columns that may name items, and the best of them. */
interface NameColumns {
  readonly candidates: readonly Column[];
  readonly best?: Column | undefined;
  /** Whether it names each row that has a number. */
  readonly isWhole: boolean;
  /** What names rows besides, if it does not. */
  readonly further: readonly Column[];
}

function nameColumns({ roles, rows, columns, meanings, namesInPlace }: KnownTable, key: ChosenKey): NameColumns {
  const candidates = (['name', 'description', 'value', 'mpn'] as const)
    .flatMap((role) => roles.get(role) ?? [])
    .filter(mayName);
  const [value, mpn] = [roles.get('value'), roles.get('mpn')];
  const numbered = columns.find((column) => column.name === key.column)?.filled ?? rows;
  const device = deviceIn(columns, rows);
  // A number that is composed of what describes a part says more than the description of its symbol.
  const isComposed =
    key.of === undefined && columnTexts(key.source, key.column).some((text) => columnsIn(text).length > 1);
  const least = Math.min(rows, numbered);
  const isWhole = (one: Column | undefined): boolean => one !== undefined && countNames(one) >= least;
  const isPart = (one: Column): boolean =>
    one.filled * 2 >= rows &&
    (one === value || (!isComposed && (one === roles.get('name') || one === roles.get('description'))));
  const isOther = (one: Column): boolean => one === mpn || (isSpecification(one) && isWhole(value));
  const best =
    candidates.find(({ name }) => meanings?.[name] === 'name') ??
    candidates.find((one) => isWhole(one) && !isOther(one)) ??
    candidates.find((one) => one.filled >= least && !isOther(one) && (one !== value || !isComposed)) ??
    candidates.find((one) => isWhole(one) || isPart(one));
  const isNamed = isWhole(best) || (isComposed && best !== undefined && best.filled >= least);
  const named = namesInPlace === undefined ? undefined : roles.get('refDes');
  const further = [isComposed ? device : undefined, named].filter((one) => one !== undefined);
  return { candidates, best, isWhole: isNamed, further };
}

/** Maps the best column of names; other columns and the number name the items that have none in it. */
export function withNames(draft: Draft, table: KnownTable, key: ChosenKey): Draft {
  const { roles, rows, columns } = table;
  const { candidates, best, isWhole, further } = nameColumns(table, key);
  if (best === undefined)
    return withRemark(withName(draft, key.column), `No column has a name for each row; "${key.column}" is used.`);
  if (isWhole) {
    const others = candidates.filter((one) => one !== roles.get('mpn') && one.filled * 2 >= rows);
    const mayAdd = table.meanings?.[best.name] !== 'name' && key.is === 'proposed';
    const other = mayAdd ? (moreDistinct(best, others, roles.get('value')) ?? inNumber(best, table, key)) : undefined;
    if (other === undefined && best.multiline === 0) return withName(draft, best.name);
    return withTextOf(draft, table, other === undefined ? [best] : [best, other]);
  }
  const rest = [...candidates.slice(candidates.indexOf(best) + 1), ...further]
    .map(({ name }) => name)
    .filter((name) => name !== key.column && name !== key.of);
  const name = freeName(columns, NAMES, `${NAMES} Used`);
  const texts = [...[best.name, ...rest], key.column].flatMap((one) => columnTexts(draft.source, one));
  const made = [...new Set(texts)];
  const added = withSource(draft, {
    columns: { ...draft.source.columns, [name]: made },
    ...emptiedIn(draft, best, key),
  });
  const missing = rows - countNames(best);
  return withRemark(
    withName(added, name),
    `Open: ${missing === 1 ? '1 row has' : `${missing} rows have`} no name in "${best.name}" and ${missing === 1 ? 'is' : 'are'} named by ${rest.map((one) => `"${one}", else by `).join('')}its number.`,
  );
}

/** Values that lead to a page and name nothing, in a column that has names. */
const addressesIn = ({ values, areAddresses }: Column): ReadonlyMap<string, number> =>
  new Map(areAddresses ? [] : [...(values ?? [])].filter(([value]) => /^(?:https?:\/\/|www\.)\S+$/i.test(value)));

const countNames = (column: Column): number =>
  countValues(column) - [...addressesIn(column).values()].reduce((sum, count) => sum + count, 0);

/** Reads what stands for no name as empty, unless the numbers are composed of it. */
function emptiedIn({ source }: Draft, column: Column, key: ChosenKey): Pick<ImportSource, 'values'> {
  const { name } = column;
  const inKey = [key.column, ...columnTexts(key.source, key.column).flatMap(columnsIn)].includes(name);
  const none = new Map([...column.placeholders, ...addressesIn(column)]);
  if (inKey || none.size === 0) return {};
  return { values: { ...source.values, [name]: { ...source.values?.[name], ...emptied(none) } } };
}

/** What distinguishes the parts that a name has in common, such as the values of all that are named "Resistor". */
function moreDistinct(best: Column, others: readonly Column[], value: Column | undefined): Column | undefined {
  const isMore = (one: Column): boolean => one.distinct * (one === value ? 1 : 0.7) > best.distinct;
  return others.find(isMore);
}

/** The value that numbers parts besides a name that several of them have. */
function inNumber(best: Column, { roles }: KnownTable, key: ChosenKey): Column | undefined {
  const value = roles.get('value');
  const parts = columnTexts(key.source, key.column).flatMap(columnsIn);
  const isShared = best === roles.get('name') && best.distinct * 10 < best.filled * 9;
  return isShared && value !== undefined && parts.includes(value.name) && parts.includes(best.name) ? value : undefined;
}

/** Names the items by a text of columns, which has one line even if its cells have several. */
function withTextOf(draft: Draft, { columns }: KnownTable, named: readonly Column[]): Draft {
  const name = freeName(columns, NAMES, `${NAMES} Used`);
  const text = named.flatMap((one) => columnTexts(draft.source, one.name)).join(' ');
  return withName(withSource(draft, { columns: { ...draft.source.columns, [name]: text } }), name);
}

/** What a part must be names it less than its value does. */
const isSpecification = ({ header }: Column): boolean =>
  /\b(?:technology|specifications?|spezifikation)\b/.test(bareHeader(header));

const mayName = ({ longest }: Column): boolean => longest <= LONGEST_NAME;

const withName = (draft: Draft, column: string): Draft => ({
  ...draft,
  mapping: new Map([...draft.mapping, ['name', column]]),
});
