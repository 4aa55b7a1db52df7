import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { keysNeeded, resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { Column } from '../preflight/columns.js';
import { KeyIndex, keyOf } from '../rows/key-index.js';
import { identityText, isNameless, type RowIdentity, recordFinder } from './find-records.js';
import type { KeptRow, KeyedRows } from './keyed-rows.js';
import { type RowReader, rowReader } from './row-difference.js';
import { targetsOf } from './targets.js';

/** Input of a row judge. */
interface RowJudgeInput {
  readonly prepared: { readonly columns: readonly Column[] };
  readonly definition: ImportDefinitionSpec;
  readonly records: KeyedRows;
  readonly asks?: 'state';
}

/** Effect of a row on its record. */
export interface Verdict extends Omit<RowChange, 'change'> {
  readonly change: Exclude<RowChange['change'], 'gone' | 'kept'> | 'unchanged';
  readonly unknown?: readonly string[];
}

/** Decides the effects of rows on records. */
export interface RowJudge {
  row(cells: readonly string[], n: number): Verdict;
  /** Call it after the last row: yields the records that REPLACE removes, since their parent's rows lack them. */
  takenAway(): Iterable<RowChange & { readonly change: 'removed' }>;
}

/** Creates the judge of one comparison, for rows in order. Marks the records that rows found. */
export function rowJudge({ prepared: { columns }, definition, records, asks }: RowJudgeInput): RowJudge {
  const finder = recordFinder(columns, definition);
  const reader = rowReader(targetsOf(columns, definition.resource), definition);
  const seen = new KeyIndex();
  const said = new KeyIndex();
  const parents = new KeyIndex();
  const mode = definition.mode.toUpperCase();
  const judging: JudgeContext = { mode, definition, records, reader, asks };
  const makers = new KeyIndex();
  const isKeyless = keylessRows(definition);
  const unnamed = unnamedIn(columns, definition);
  return {
    row(cells, n) {
      const identity = finder.identity(cells);
      const { key } = identity;
      parents.firstRow(key[0] ?? '', n);
      if (isKeyless(identity)) {
        makers.firstRow(key[0] ?? '', n);
        return asks === 'state'
          ? { change: 'unchanged', key, unknown: unnamed }
          : { change: 'new', key, cells: reader.asked(cells, 'without a key') };
      }
      if (isNameless(identity)) return { change: 'refused', key, why: 'A cell that identifies the record is empty.' };
      const found = finder.find(identity, records);
      const same = identityText(identity);
      const repeated = seen.firstRow(same, n) !== undefined;
      const again = said.firstRow(keyOf([same, ...cells]), n) !== undefined;
      return judgeRow(
        { key, cells, found, repeated: repeated ? (again ? 'in the same words' : 'otherwise') : 'no' },
        judging,
      );
    },
    *takenAway() {
      if (mode !== 'REPLACE') return;
      for (const record of records.unmarked()) {
        const parent = record.key[0] ?? '';
        // It is unknown which of them the rows without a key created.
        if (asks === 'state' && makers.has(parent)) continue;
        if (parents.has(parent)) yield { change: 'removed', key: record.key, cells: reader.had(record) };
      }
    },
  };
}

/** Recognises rows that lack the key that their resource may lack in this mode: each creates its own record. */
export function keylessRows({ resource, mode }: ImportDefinitionSpec): (identity: RowIdentity) => boolean {
  const known = resourceNamed(resource);
  const needed = new Set(keysNeeded(known, mode));
  return ({ key, guid }) => {
    const empty = known.keys.filter((_, index) => key[index] === '' && (index > 0 || guid === ''));
    return empty.length > 0 && empty.every((name) => !needed.has(name));
  };
}

/** The columns that would identify a record that a row created. */
const unnamedIn = (columns: readonly Column[], { resource }: ImportDefinitionSpec): string[] => {
  const keys = resourceNamed(resource).lacking?.keys ?? [];
  const found = columns.filter(({ fields }) => keys.some((key) => fields.includes(key.toLowerCase())));
  return found.length === 0 ? [...keys] : found.map(({ header }) => header);
};

interface JudgeContext {
  readonly mode: string;
  readonly definition: ImportDefinitionSpec;
  readonly records: KeyedRows;
  readonly reader: RowReader;
  readonly asks: RowJudgeInput['asks'];
}

interface JudgedRow {
  readonly key: readonly string[];
  readonly cells: readonly string[];
  readonly found: readonly KeptRow[];
  /** Whether an earlier row has the same key, and the same cells. */
  readonly repeated: 'no' | 'in the same words' | 'otherwise';
}

function judgeRow(row: JudgedRow, judging: JudgeContext): Verdict {
  const { key, cells, found, repeated } = row;
  const { mode, definition, reader, asks } = judging;
  const created = (): Verdict => ({ change: 'new', key, cells: reader.asked(cells, 'named') });
  if (mode === 'REPLACE') return replacement(row, judging) ?? created();
  if (mode === 'CREATE') {
    const allowed = definition.options?.createDuplicates === 'ALLOW';
    return found.length > 0 && !allowed ? refusal(key, EXISTS) : created();
  }
  if (found.length > 0) return match(row, judging);
  // If rows may lack a key, a row that has it refers to an existing record (wire-facts 4, "ITEM_FILES semantics").
  const makes = mode === 'OVERWRITE' && (asks === 'state' || resourceNamed(definition.resource).lacking === undefined);
  if (!makes) return refusal(key, ABSENT);
  // Identical rows of one record are one change.
  return repeated === 'in the same words' ? { change: 'unchanged', key } : created();
}

/** Decides the effect of a row on the records that it finds. */
function match(
  { key, cells, found, repeated }: JudgedRow,
  { mode, definition, records, reader }: JudgeContext,
): Verdict {
  if (found.length > 1 && definition.options?.matchDuplicates !== 'APPLY_TO_ALL') {
    return refusal(key, `${found.length} records in the workspace have this key, and \`matchDuplicates\` is ERROR.`);
  }
  const first = found.filter((record) => records.mark(record) === 'first');
  // The last row of a record counts, so each row that differs from an earlier one may change it.
  if (mode !== 'DELETE') return difference(key, cells, repeated === 'otherwise' ? found : first, reader);
  const [record] = first;
  return record === undefined ? refusal(key, ABSENT) : { change: 'removed', key, cells: reader.had(record) };
}

const refusal = (key: readonly string[], why: string): Verdict => ({ change: 'refused', key, why });
const EXISTS = 'The record exists already, and the mode is CREATE.';
const ABSENT = 'The record is not in the workspace.';

/** Under REPLACE each row is one line: of several lines with its key, an equal one, otherwise the first. */
function replacement({ key, cells, found }: JudgedRow, { records, reader }: JudgeContext): Verdict | undefined {
  const free = found.filter((record) => !records.isMarked(record));
  const chosen = free.find((record) => reader.difference(cells, record).cells.length === 0) ?? free[0];
  if (chosen === undefined) return undefined;
  records.mark(chosen);
  return difference(key, cells, [chosen], reader);
}

function difference(
  key: readonly string[],
  cells: readonly string[],
  found: readonly KeptRow[],
  reader: RowReader,
): Verdict {
  const each = found.map((record) => reader.difference(cells, record));
  const unknown = each.flatMap((one) => one.unknown);
  const changed = each.find((one) => one.cells.length > 0);
  return changed === undefined
    ? { change: 'unchanged', key, unknown }
    : { change: 'changed', key, cells: changed.cells, unknown };
}
