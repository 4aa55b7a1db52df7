import { omitUndefined } from '#base/omit-undefined.js';
import { type Hierarchy, PARENT_COLUMN } from '#core/jobs/source-cells.js';
import type { ChosenKey } from './choose-key.js';
import { bareHeader, roleNamed } from './column-names.js';
import { columnOption, type Draft, keepNames, whereFilled, withProblem, withRemark, withSource } from './draft.js';
import { draftItems } from './draft-items.js';
import { draftSources } from './draft-sources.js';
import { blankDraft, freeName, type KnownTable } from './known-table.js';
import type { Role } from './meanings.js';
import { withoutNames } from './named-designators.js';
import { withNumbers } from './number-formats.js';
import { isOrder } from './order-list.js';
import { emptyPlaceholders } from './placeholders.js';
import { withUnits } from './quantity-units.js';
import { withUnreadNumber } from './unread-number.js';
import { withUnreadQuantity } from './unread-quantity.js';
import { withUnusedNames } from './unused-names.js';

/** Proposed drafts for a list; `assembly` is an additional item, if the parent of the lines is in no row. */
export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly assembly?: string;
}

/** Drafts the items and, if there are columns for them, their BOM, manufacturers and suppliers. */
export function makeDrafts(table: KnownTable, key: ChosenKey): Drafts {
  const items = draftItems(table, key);
  const bom = isBom(table) ? bomOf(table, key) : undefined;
  const isOwn = bom === undefined && key.is !== 'known' && !isOrder(table.columns);
  const own = isOwn ? withOwnNames(items, table) : onlyNew(items);
  const first = withUnreadNumber(withStock(own, table), table, key);
  const drafts = [withUnusedNames(first, table, key), ...(bom === undefined ? [] : [bom]), ...draftSources(table, key)];
  const top = bom?.source.hierarchy?.top ?? bom?.source.constants?.[PARENT_COLUMN];
  return { drafts, ...omitUndefined({ assembly: top }) };
}

/** Creates missing parts alone: a list that names parts often has fewer values of them than they have. */
const onlyNew = (items: Draft): Draft =>
  withRemark(
    { ...items, send: 'new' },
    'Parts that exist are not changed (`send: new`); with `send: changed` they get the values of this list.',
  );

/** Creates missing parts alone, if their names are no names of the list: those of parts that exist would be lost. */
function withOwnNames(items: Draft, table: KnownTable): Draft {
  const named = ['name', 'description'].flatMap((role) => table.roles.get(role as Role)?.name ?? []);
  const open = isStock(table) ? items : withUnreadQuantity(items, table);
  return named.includes(items.mapping.get('name') ?? '') ? open : keepNames(open);
}

/** Whether quantities are those of a stock, unless a person says that they are those of a BOM. */
const isStock = ({ source, columns, meanings = {} }: KnownTable): boolean =>
  !Object.values(meanings).includes('quantity') &&
  (/inventory|stock|spares?\b|spare[-_ ]parts|ersatzteil|lager|bestand|magazyn|voorraad|giacenza/i.test(source.file) ||
    columns.some(({ header }) => OF_STOCK.test(bareHeader(header))));

/** Headers of columns that say in which state, or where, the pieces of a stock are. */
const OF_STOCK =
  /^(?:condition|zustand|etat|bin|shelf|drawer|compartment|fach|storage(?: (?:bin|location))?|lager(?:ort|platz))$/;

/** Asks whether the quantities of a stock are those of a BOM. */
function withStock(items: Draft, table: KnownTable): Draft {
  const quantity = table.roles.get('quantity');
  if (quantity === undefined || isBom(table)) return items;
  const option = columnOption(quantity.name, 'quantity');
  return withRemark(
    items,
    `Open: the list looks like a stock, so "${quantity.name}" is not imported and no BOM is proposed. If its quantities are those of a BOM, inspect the file again with \`${option}\`.`,
  );
}

const isBom = (table: KnownTable): boolean =>
  ['refDes', 'level', 'parent'].some((role) => table.roles.has(role as Role)) ||
  (table.roles.has('quantity') && (!isStock(table) || table.outline !== undefined));

function bomOf(table: KnownTable, key: ChosenKey): Draft {
  const { roles } = table;
  const mapping = new Map([['number', PARENT_COLUMN]]);
  const parent = roles.get('parent');
  if (parent !== undefined && hierarchyOf(table, key) === undefined) mapping.set('number', parent.name);
  mapping.set('item.number', key.column);
  for (const role of ['quantity', 'refDes', 'lineNumber', 'notes'] as const) {
    const column = roles.get(role);
    if (column === undefined || (role === 'lineNumber' && column.type !== 'integer')) continue;
    mapping.set(role, column.name);
  }
  const draft: Draft = { ...blankDraft(table, key, 'BOM'), kind: 'BOM', resource: 'ITEM_BOM', mapping };
  const formatted = withNumbers(withParents(draft, table, key), table, ['quantity']);
  const inTree = withBrokenPath(withUnusedLevels(formatted, table), table);
  const whole = withPieces(withNamesInPlace(withPlainDesignators(withUnits(inTree, table), table), table), table);
  return emptyPlaceholders(withUnreadQuantity(whole, table), table.columns);
}

/** Writes designators as the service reads them, if a cell has another form. */
function withPlainDesignators(draft: Draft, { roles, columns, namesInPlace = [] }: KnownTable): Draft {
  const refDes = roles.get('refDes');
  if (refDes?.otherDesignators === undefined) return draft;
  const name = freeName(columns, 'Designators', 'Plain Designators');
  const made = withSource(draft, { columns: { ...draft.source.columns, [name]: { designators: refDes.name } } });
  const sample = refDes.otherDesignators;
  const which = namesInPlace.includes(sample) ? 'all designators' : `designators such as ${JSON.stringify(sample)}`;
  return withRemark(
    { ...made, mapping: new Map([...draft.mapping, ['refDes', name]]) },
    `The service does not read ${which}; "${name}" has those of "${refDes.name}" in its form (R1,R2,R4-R10).`,
  );
}

function withNamesInPlace(draft: Draft, { roles, namesInPlace }: KnownTable): Draft {
  const refDes = roles.get('refDes');
  return refDes === undefined || namesInPlace === undefined ? draft : withoutNames(draft, refDes, namesInPlace);
}

/** Takes the number of designators for the quantity that no column has. */
function withPieces(draft: Draft, table: KnownTable): Draft {
  const { roles } = table;
  const refDes = roles.get('refDes');
  if (refDes === undefined || roles.has('quantity')) return draft;
  const name = freeName(table.columns, 'Quantity', 'Pieces');
  const made = withSource(draft, { columns: { ...draft.source.columns, [name]: { count: refDes.name } } });
  return withRemark(
    { ...made, mapping: new Map([...draft.mapping, ['quantity', name]]) },
    `No column has quantities; the number of designators in "${refDes.name}" is used.`,
  );
}

/** Adds the problem that dotted numbers form no tree: without them all lines would have one parent. */
function withBrokenPath(draft: Draft, { columns, roles, assembly }: KnownTable): Draft {
  const paths = columns.find(({ pathBreak }) => pathBreak !== undefined);
  if (paths?.pathBreak === undefined || draft.source.hierarchy !== undefined || roles.has('parent')) return draft;
  const { row, value } = paths.pathBreak;
  const problem = `"${paths.name}" has dotted numbers of a tree, but row ${row} ("${value}") has no row above it that is its parent, and without them all lines would belong to "${assembly}". Correct the cells in the file (a spreadsheet shows 2.10 as 2.1), or inspect it again with \`${columnOption(paths.name, 'none')}\` if the list is flat.`;
  return withProblem(draft, problem);
}

/** Adds a remark about levels that form no tree and are left out. */
function withUnusedLevels(draft: Draft, { columns, assembly }: KnownTable): Draft {
  const levels = columns.find(({ header, filled }) => filled > 0 && roleNamed(header) === 'level');
  if (levels === undefined || levels.areLevels || draft.source.hierarchy !== undefined) return draft;
  const { levelBreak } = levels;
  const why =
    levelBreak === undefined
      ? ''
      : `: row ${levelBreak.row} ("${levelBreak.value}") does not follow from the row above it`;
  return withRemark(
    draft,
    `Open: the levels in "${levels.name}" are not used${why}. All lines belong to "${assembly}" until the levels are corrected in the file and it is inspected again.`,
  );
}

/** Takes parents from levels, dotted numbers or the outline, else from a column, else uses one assembly for all. */
function withParents(draft: Draft, table: KnownTable, key: ChosenKey): Draft {
  const { roles, assembly } = table;
  const hierarchy = hierarchyOf(table, key);
  const parent = roles.get('parent');
  if (hierarchy !== undefined) return withSource(draft, { hierarchy });
  if (parent === undefined)
    return withSource(draft, { constants: { ...draft.source.constants, [PARENT_COLUMN]: assembly } });
  const empty = table.source.fillDown === undefined ? table.rows - parent.filled : 0;
  if (empty <= 0) return draft;
  const filled = whereFilled(draft, parent.name);
  // One row without a parent is the top.
  return empty === 1
    ? filled
    : withRemark(
        filled,
        `Open: ${empty} rows without "${parent.name}" are left out. If they belong to the parent above them, write \`fillDown: [${JSON.stringify(parent.name)}]\` instead of \`where\`.`,
      );
}

function hierarchyOf(
  { roles, outline, assembly, columns }: KnownTable,
  { column: number }: ChosenKey,
): Hierarchy | undefined {
  const [level, path] = [roles.get('level'), roles.get('path')];
  const by = path ?? level;
  const top = by === undefined || by.tops > 1 ? { top: assembly } : {};
  if (path !== undefined) return { path: path.name, number, ...top };
  if (level !== undefined) return { level: level.name, number, ...top };
  const isIndented = outline !== undefined && !roles.has('parent') && columns.length > 0;
  return isIndented ? { outline: true, number, top: assembly } : undefined;
}
