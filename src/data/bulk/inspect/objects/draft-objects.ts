import type { RowSource } from '#core/jobs/source.js';
import type { TableRow } from '#core/manifest/row-table.js';
import type { Column } from '../column.js';
import { LEFT_OUT, type ObjectsDraft, withoutValues, withRemark } from '../draft.js';
import type { Meaning } from '../meanings.js';
import { checkObjects } from './check-objects.js';
import { groupFields, severalGroups } from './group-fields.js';
import { draftGroupMatrix } from './group-matrix.js';
import { cellValue, readListTable, referenceTo, rowsBy } from './list-rows.js';
import type { Fields, ListOfObjects } from './object-fields.js';
import type { RecognisedList } from './object-list.js';
import { supplierFields } from './supplier-fields.js';

/** Drafts the manifests of a list of objects; a draft that does not pass the checks of manifests has a problem. */
export const draftObjects = async (recognised: RecognisedList): Promise<ObjectsDraft[]> =>
  recognised.list.is === 'matrix' ? draftGroupMatrix(recognised) : [await draftRows(recognised)];

async function draftRows({ path, source, columns, list }: RecognisedList): Promise<ObjectsDraft> {
  const { of, meanings } = list;
  const withMeaning = (meaning: Meaning): Column[] => columns.filter(({ name }) => meanings.get(name) === meaning);
  const [key] = withMeaning(of === 'Supplier' ? 'supplier' : 'group') as [Column];
  const { rows: all } = await readListTable(path, source);
  const base: ObjectsDraft = {
    ...{ kind: 'objects', of, meanings, source: readingAll(source, all), spec: {}, open: [] },
    ...{ metadata: { name: referenceTo(key) }, remarks: [REMARKS[of]] },
  };
  const known = of === 'Supplier' ? namedSuppliers(base, all, key, withMeaning) : namedGroups(base, all, key);
  const rows = known.rows;
  const objects = { rows, groups: rowsBy(rows, known.nameOf), columns: withMeaning };
  const fields = of === 'Supplier' ? supplierFields(objects) : groupFields(objects);
  const filled = fields.reduce(withFields, known.draft);
  const used = columns.filter(({ name }) => usedColumns(filled).has(name));
  const spelled = spellingRemarks([...objects.groups.keys()], key).reduce(withRemark, withoutMarks(filled, used));
  return checkObjects(path, { ...spelled, open: [...filled.open, ...withoutField(columns, filled)] });
}

const REMARKS = {
  Supplier: 'Each name in the list is a supplier; addresses and phone numbers that the list does not have are removed.',
  UserGroup: 'Each group in the list is a user group.',
} as const;

const readingAll = (source: RowSource, rows: readonly TableRow[]): RowSource =>
  rows.some(({ faults = [] }) => faults.some(({ code }) => code === 'row-short'))
    ? { ...source, shortRows: 'allow' }
    : source;

/** The rows that count, and the object of each. */
interface NamedList {
  readonly draft: ObjectsDraft;
  readonly rows: ListOfObjects['rows'];
  readonly nameOf: (row: TableRow) => string;
}

/** Rows without a name belong to the supplier above them if they only add addresses or numbers; others are left out. */
function namedSuppliers(
  draft: ObjectsDraft,
  rows: readonly TableRow[],
  key: Column,
  withMeaning: (meaning: Meaning) => readonly Column[],
): NamedList {
  const nameless = rows.filter((row) => cellValue(row, key) === '');
  if (nameless.length === 0) return { draft, rows, nameOf: (row) => cellValue(row, key) };
  const own = OF_SUPPLIER.flatMap(withMeaning);
  const isContinued =
    nameless[0] !== rows[0] && nameless.every((row) => own.every((column) => cellValue(row, column) === ''));
  if (!isContinued) return withoutNameless(draft, rows, key);
  const names = new Map<TableRow, string>();
  let above = '';
  for (const row of rows) {
    above = cellValue(row, key) || above;
    names.set(row, above);
  }
  const before = draft.source.fillDown ?? [];
  const fillDown = before === 'merged' ? before : [...before, key.name];
  const filled = { ...draft, source: { ...draft.source, fillDown } };
  const remark = `Rows without "${key.name}" belong to the supplier above them (${countText(nameless.length)}).`;
  return { draft: withRemark(filled, remark), rows, nameOf: (row) => names.get(row) ?? '' };
}

const OF_SUPPLIER = ['description', 'supplierId', 'accountNumber', 'website', 'approvalStatus'] as const;

const countText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

function withoutNameless(draft: ObjectsDraft, rows: readonly TableRow[], key: Column): NamedList {
  const named = rows.filter((row) => cellValue(row, key) !== '');
  const source = withoutValues(draft.source, key.name, ['', ...key.placeholders.keys()]);
  const remark = `${LEFT_OUT}${countText(rows.length - named.length)} without "${key.name}".`;
  const left = named.length === rows.length ? draft : withRemark({ ...draft, source }, remark);
  return { draft: left, rows: named, nameOf: (row) => cellValue(row, key) };
}

/** Leaves out rows without a group and, as a problem, those with several: a row is in one object. */
function namedGroups(draft: ObjectsDraft, all: readonly TableRow[], key: Column): NamedList {
  const named = withoutNameless(draft, all, key);
  const several = severalGroups(named, key);
  if (several.length === 0) return named;
  const rows = named.rows.filter((row) => !several.includes(cellValue(row, key)));
  const problem = `${countText(named.rows.length - rows.length)} with several groups in "${key.name}" (such as "${several[0]}") ${named.rows.length - rows.length === 1 ? 'is' : 'are'} left out, and these people would be removed from their groups. Give each person a row for each group, and inspect the file again.`;
  const source = withoutValues(named.draft.source, key.name, several);
  return { ...named, draft: { ...withRemark({ ...named.draft, source }, `Open: ${problem}`), problem }, rows };
}

function withFields(draft: ObjectsDraft, { spec, values = {}, remarks = [], open = [] }: Fields): ObjectsDraft {
  const added = Object.entries(values).filter(([, map]) => Object.keys(map).length > 0);
  const all = { ...draft.source.values, ...Object.fromEntries(added) };
  return {
    ...draft,
    spec: { ...draft.spec, ...spec },
    source: Object.keys(all).length === 0 ? draft.source : { ...draft.source, values: all },
    remarks: [...draft.remarks, ...remarks],
    open: [...draft.open, ...open],
  };
}

/** The columns that a draft or its open lines refer to. */
function usedColumns({ metadata, spec, open }: ObjectsDraft): ReadonlySet<string | undefined> {
  const text = JSON.stringify([metadata, spec]).replaceAll('\\"', '"') + open.join('\n');
  return new Set([...text.matchAll(/\$\{row\.([^{}]*)\}/g)].map(([, name]) => name));
}

/** Reads cells that stand for no value as empty. */
function withoutMarks(draft: ObjectsDraft, columns: readonly Column[]): ObjectsDraft {
  const marked = columns.filter(({ placeholders }) => placeholders.size > 0);
  if (marked.length === 0) return draft;
  const before = draft.source.values ?? {};
  const values = marked.map(({ name, placeholders }) => {
    const empty = before[name]?.[''] ?? '';
    return [name, { ...before[name], ...Object.fromEntries([...placeholders.keys()].map((mark) => [mark, empty])) }];
  });
  const shown = marked.map(({ name, placeholders }) => `"${[...placeholders.keys()].join('", "')}" in "${name}"`);
  return withRemark(
    { ...draft, source: { ...draft.source, values: { ...before, ...Object.fromEntries(values) } } },
    `Cells that stand for no value are read as empty: ${shown.join('; ')}.`,
  );
}

/** Names of which only letter case or white space differ may mean one object, and are two. */
function spellingRemarks(names: readonly string[], { name: column }: Column): string[] {
  const known = new Map<string, string>();
  return names.flatMap((name) => {
    const folded = name.toLowerCase().replaceAll(/\s+/g, ' ');
    const other = known.get(folded);
    if (other === undefined) known.set(folded, name);
    return other === undefined
      ? []
      : [`Open: "${other}" and "${name}" in "${column}" are two objects. Correct one if they are the same.`];
  });
}

/** Names the columns that are in no field, with their values. */
function withoutField(columns: readonly Column[], draft: ObjectsDraft): string[] {
  const used = usedColumns(draft);
  return columns.flatMap(({ name, filled, samples }) =>
    filled === 0 || name === '' || used.has(name)
      ? []
      : [
          `No field for "${name}": ${filled === 1 ? '1 value' : `${filled} values`} such as ${JSON.stringify(samples[0] ?? '')}.`,
        ],
  );
}
