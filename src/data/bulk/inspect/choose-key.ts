import type { ImportSource } from '#core/jobs/source.js';
import { type Column, MONEY, matchingShare, type Roles } from './column.js';
import { bareHeader, HEADLESS, isOfDemands, roleNamed } from './column-names.js';
import { columnOption } from './draft.js';
import type { GivenMeanings, Role } from './meanings.js';
import { emptied } from './placeholder-texts.js';

/** The column that numbers the items, and the source settings that it needs. */
export interface ChosenKey {
  readonly column: string;
  readonly source: Pick<ImportSource, 'columns' | 'values' | 'where'>;
  /** The column of the file that numbers most rows, if others number the rest. */
  readonly of?: string;
  /** `own`: the list numbers its items; `known`: some numbers are those of items that exist. */
  readonly is: 'own' | 'proposed' | 'known';
  /** Reasons for the choice, if people may expect another. */
  readonly remarks: readonly string[];
}

/** Maximum length of item numbers (wire-facts 3 has none; the embedded workspace takes 200). */
const LONGEST = 200;
const LONGEST_DESIGNATORS = 100;
/** The added column of composed item numbers. */
export const MADE = 'Item Number';

/** Whether the cells of a column may number items. */
export const isUsable = (column: Column): boolean =>
  countValues(column) > 0 && column.multiline === 0 && column.longest <= LONGEST && !column.areAddresses;

/** Whether the designators of a column may number items, behind the name of their assembly. */
export const isUsableRefDes = (column: Column | undefined): column is Column =>
  column !== undefined && isUsable(column) && column.longest <= LONGEST_DESIGNATORS;

/** Number of cells with a value, not with what stands for none. */
export const countValues = ({ filled, placeholders }: Column): number =>
  filled - [...placeholders.values()].reduce((sum, count) => sum + count, 0);

/**
 * Chooses the item number of each row: its own number, else the maker's, else its value with its package, which stay
 * when designators are added, else the maker's number of some rows, if others have something besides, else a supplier's
 * number or a text that differs in every row, else the assembly's name with the reference designators, else a name, else
 * the assembly's name with the line number, else a value that differs in every row.
 */
export function chooseKey(
  all: readonly Column[],
  roles: Roles,
  rows: number,
  assembly: string,
  given: GivenMeanings = {},
): ChosenKey | undefined {
  // No source can name a column without a header.
  const columns = all.filter(({ name }) => name !== '');
  // One row without a value may be a total.
  const share: Share = (column, least) =>
    column !== undefined && isUsable(column) && (countValues(column) >= rows * least || column.filled === rows - 1)
      ? column
      : undefined;
  const different = (column: Column | undefined): Column | undefined =>
    column?.filled === rows && column.distinct === rows ? column : undefined;
  const [number, mpn, refDes] = [roles.get('number'), roles.get('mpn'), roles.get('refDes')];
  const own = share(number, leastOf(number, roles, rows, given));
  if (own !== undefined) {
    const isKnown = roleNamed(own.header) !== undefined;
    const remarks = isKnown ? [] : [`"${own.name}" numbers the items: its values are codes.`];
    return { column: own.name, source: {}, is: 'own', remarks };
  }
  const other = number ?? mpn;
  const ofMakers = (one: Column): ChosenKey =>
    taken(one, `The part number of the manufacturer ("${one.name}") is used as item number.`);
  const used = (column: Column | undefined, key: (one: Column) => ChosenKey): ChosenKey | undefined =>
    column === undefined ? undefined : key(column);
  const counted = (one: Column): ChosenKey => made(one, assembly, other, rows);
  return (
    used(share(mpn, 0.9), ofMakers) ??
    describedPart(roles, other, rows, assembly) ??
    used(mayComplete(roles, rows) ? share(mpn, 0.5) : undefined, ofMakers) ??
    used(share(distinctNumbers(roles), 0.9), (one) =>
      taken(one, `No column has item numbers; the numbers of the supplier ("${one.name}") are used.`),
    ) ??
    used(share(distinctText(roles), 0.8), (one) => taken(one, `No column has item numbers; "${one.name}" is used.`)) ??
    used(isUsableRefDes(refDes) ? different(refDes) : undefined, counted) ??
    used(share(roles.get('name'), 0.8), (one) =>
      taken(one, `No column has item numbers; the name ("${one.name}") is used.`),
    ) ??
    used(different(roles.get('lineNumber')), counted) ??
    used(uncertainKey(columns, roles, rows, share), (one) =>
      taken(one, `Open: no column is certain to have item numbers; "${one.name}" is used.`),
    )
  );
}

/** Numbers of suppliers, unless names distinguish as many parts. */
function distinctNumbers(roles: Roles): Column | undefined {
  const numbers = roles.get('supplierPartNumber');
  const names = (['name', 'description'] as const).map((role) => roles.get(role)?.distinct ?? 0);
  const most = numbers?.distinct ?? 0;
  // Where several rows are of one part, its number is as good as a name that is the same in all of them.
  const least = most < (numbers?.filled ?? 0) && roles.has('refDes') ? most + 1 : most;
  return names.some((distinct) => distinct >= least) ? undefined : numbers;
}

/** A name or description that no two parts have in common; a specification alone does not say what a part is. */
function distinctText(roles: Roles): Column | undefined {
  const [name, description] = [roles.get('name'), roles.get('description')];
  const isOfNamed = name !== undefined && description !== undefined && isOfDemands(description.header);
  return [name, isOfNamed ? undefined : description].find((one) => one !== undefined && one.distinct === one.filled);
}

/** Whether something numbers each of the parts without a maker's number. */
function mayComplete(roles: Roles, rows: number): boolean {
  const [refDes, name] = [roles.get('refDes'), roles.get('name')];
  return [isUsableRefDes(refDes) ? refDes : undefined, name].some(
    (one) => one !== undefined && one.distinct === rows && isUsable(one),
  );
}

type Share = (column: Column | undefined, least: number) => Column | undefined;

/** A column whose values differ, or which numbers some rows: rows without a number may be sums, taxes and remarks. */
function uncertainKey(columns: readonly Column[], roles: Roles, rows: number, share: Share): Column | undefined {
  const amounts = [roles.get('quantity'), roles.get('cost'), roles.get('level')];
  const isAmount = (column: Column): boolean =>
    amounts.includes(column) ||
    AMOUNTS.has(roleNamed(column.header)) ||
    (column.notNumbers === 0 && column.numbers?.decimal !== undefined) ||
    matchingShare(column, MONEY) > 0.3;
  return (
    columns.find((column) => column.key === 'likely' && isUsable(column) && !isAmount(column)) ??
    share(roles.get('description'), 0.8) ??
    columns.find((column) => isUnnamedText(column) && isUsable(column) && countValues(column) >= rows * 0.8) ??
    (['number', 'mpn', 'supplierPartNumber'] as const).map((role) => share(roles.get(role), 0)).find((one) => one)
  );
}

/** Whether a column with a header that says nothing has texts of which most differ. */
const isUnnamedText = ({ header, type, filled, distinct }: Column): boolean =>
  roleNamed(header) === undefined && type === 'text' && distinct * 2 > filled;

/** A number that people gave counts even where many rows have none; so does one beside makers' numbers or names in the others. */
function leastOf(number: Column | undefined, roles: Roles, rows: number, given: GivenMeanings): number {
  if (number === undefined || given[number.name] === 'number') return 0;
  const isShared = number.filled + (roles.get('mpn')?.filled ?? 0) >= rows * 0.9;
  if (isShared) return 0.4;
  return ['name', 'description'].some((role) => roles.get(role as Role)?.filled === rows) ? 0.5 : 0.8;
}

const AMOUNTS: ReadonlySet<Role | undefined> = new Set(['quantity', 'cost', 'level', 'uom', 'placement']);

/** What describes a part of a circuit, the best first: its value or name, and its package. */
const DESCRIPTIONS = [
  ['value', 'package'],
  ['name', 'package'],
  ['name', 'value'],
  ['description', 'package'],
] as const;

/** The column in which circuit editors name the symbol of each part. */
export const deviceIn = (columns: readonly Column[], rows: number): Column | undefined =>
  columns.find(({ header, filled }) => bareHeader(header) === 'device' && filled === rows);

/** Composes the number of a part of a circuit from what describes it, or takes its value or name if each part has another. */
function describedPart(roles: Roles, other: Column | undefined, rows: number, assembly: string): ChosenKey | undefined {
  if (!roles.has('refDes')) return undefined;
  for (const pair of DESCRIPTIONS) {
    const columns = pair.flatMap((role) => roles.get(role) ?? []);
    const least = columns.some(({ filled }) => filled === rows) ? 0.5 : 0.75;
    if (columns.length < 2 || !columns.every((one) => one.filled >= rows * least && isUsable(one))) continue;
    if (columns.reduce((sum, { longest }) => sum + longest, 0) >= LONGEST) continue;
    const [one, two] = columns.map(({ name }) => name);
    const why = `${whyComposed(other, rows)}, so item numbers are composed of "${one}" and "${two}": they stay when designators are added.`;
    return composed(`{${one}} {${two}}`, why, placeholdersOf(columns));
  }
  const only = (['value', 'name'] as const)
    .map((role) => roles.get(role))
    .find((one) => one?.filled === rows && (one.distinct === rows || isOnlyText(one, roles)) && isUsable(one));
  if (only === undefined) return undefined;
  // Parts of other assemblies may have the same value, and another package.
  if (only === roles.get('value')) return made(only, assembly, other, rows);
  return taken(only, `${whyComposed(other, rows)}; "${only.name}" is used.`);
}

/** Rows of one name, or of one text without a header, are rows of one part, where nothing else describes most of them. */
const isOnlyText = (column: Column, roles: Roles): boolean =>
  (column === roles.get('name') || HEADLESS.test(column.header)) &&
  (['name', 'value', 'package', 'description'] as const).every((role) => {
    const other = roles.get(role);
    return other === column || (other?.filled ?? 0) * 2 < column.filled;
  });

function whyComposed(other: Column | undefined, rows: number): string {
  if (other === undefined) return 'No column has item numbers';
  return `"${other.name}" has ${other.multiline > 0 ? 'several values in one cell' : `no value in ${rows - countValues(other)} of ${rows} rows`}`;
}

const taken = ({ name }: Column, remark: string): ChosenKey => ({
  ...{ column: name, source: {}, is: 'proposed', remarks: [remark] },
});

const composed = (text: string, remark: string, values: ImportSource['values'] = {}): ChosenKey => ({
  column: MADE,
  source: { columns: { [MADE]: text }, ...(Object.keys(values).length === 0 ? {} : { values }) },
  ...{ is: 'proposed', remarks: [remark] },
});

/** What stands for no value in columns that describe a part, as empty cells. */
const placeholdersOf = (columns: readonly Column[]): NonNullable<ImportSource['values']> =>
  Object.fromEntries(
    columns.flatMap(({ name, placeholders }) => (placeholders.size === 0 ? [] : [[name, emptied(placeholders)]])),
  );

const made = ({ name }: Column, assembly: string, other: Column | undefined, rows: number): ChosenKey =>
  composed(
    `${assembly}-{${name}}`,
    `${whyComposed(other, rows)}, so item numbers are composed of the name of the assembly and "${name}".`,
  );

/** Why nothing can number the items, and what a person can do. */
export function noNumber(columns: readonly Column[], roles: Roles, rows: number): string {
  if (rows === 0)
    return 'No row is below the header: nothing is proposed. `--range` says which part of the file has the list.';
  const texts = columns.filter(
    (column) => column.name !== '' && column.type === 'text' && column.filled > 0 && roles.get('refDes') !== column,
  );
  const [fullest] = texts.toSorted((one, other) => other.distinct - one.distinct);
  const nameless = columns.filter(({ name, filled }) => name === '' && filled > 0).length;
  const unnamed =
    nameless === 0
      ? ''
      : ` ${nameless === 1 ? 'A column has' : `${nameless} columns have`} cells and no header: write their headers into the file.`;
  const advice =
    fullest === undefined
      ? ''
      : ` If a column names the parts, inspect the file again with its name, such as \`${columnOption(fullest.name, 'name')}\`.`;
  return `No column can be the item number: nothing is proposed.${unnamed}${advice}`;
}
