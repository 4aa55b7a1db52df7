import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { keysNeeded, resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { Column } from '../preflight/columns.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import { identityText, isNameless, type RecordFinder, type RowIdentity, recordFinder } from './find-records.js';
import { incompleteRows } from './incomplete-rows.js';
import type { KeptRow, KeyedRows } from './keyed-rows.js';
import { RowReader } from './row-difference.js';
import { listTargets } from './targets.js';

/** Input of a row judge. */
interface RowJudgeInput {
  readonly prepared: { readonly columns: readonly Column[] };
  readonly definition: ImportDefinitionSpec;
  readonly records: KeyedRows;
  readonly asks?: 'state';
  /** Other rows may be without a record although the workspace has it. */
  readonly incomplete?: 'refused';
}

/** Effect of a row on its record. */
export interface Verdict extends Omit<RowChange, 'change'> {
  readonly change: Exclude<RowChange['change'], 'gone' | 'kept'> | 'unchanged';
  readonly unknown?: readonly string[];
  /** Refused only because its record does not exist. */
  readonly is?: 'incomplete';
}

/** Decides the effects of rows on records, for rows in order. Marks the records that rows found. */
export class RowJudge {
  readonly #definition: ImportDefinitionSpec;
  readonly #records: KeyedRows;
  readonly #asks: RowJudgeInput['asks'];
  readonly #mode: string;
  readonly #finder: RecordFinder;
  readonly #reader: RowReader;
  readonly #isKeyless: (identity: RowIdentity) => boolean;
  readonly #naming: readonly string[];
  readonly #lackOf: (cells: readonly string[]) => string | undefined;
  readonly #identities = new KeyIndex();
  readonly #rows = new KeyIndex();
  readonly #parents = new KeyIndex();
  readonly #parentsOfKeyless = new KeyIndex();

  constructor({ prepared: { columns }, definition, records, asks, incomplete }: RowJudgeInput) {
    this.#definition = definition;
    this.#records = records;
    this.#asks = asks;
    this.#mode = definition.mode.toUpperCase();
    this.#finder = recordFinder(columns, definition);
    this.#reader = new RowReader(listTargets(columns, definition.resource), definition);
    this.#isKeyless = keylessRows(definition);
    this.#naming = namingColumns(columns, definition);
    this.#lackOf = incomplete === undefined ? () => undefined : incompleteRows(columns, definition);
  }

  row(cells: readonly string[], n: number): Verdict {
    const identity = this.#finder.identity(cells);
    const { key } = identity;
    this.#parents.firstRow(key[0] ?? '', n);
    if (this.#isKeyless(identity)) return this.#keyless(key, cells, n);
    if (isNameless(identity)) return refusal(key, NAMELESS);
    const found = this.#finder.find(identity, this.#records);
    return this.#judge({ key, cells, found, repeated: this.#repetition(identityText(identity), cells, n) });
  }

  /** Call it after the last row: yields the records that REPLACE removes, since their parent's rows lack them. */
  *takenAway(): Generator<RowChange & { readonly change: 'removed' }> {
    if (this.#mode !== 'REPLACE') return;
    for (const record of this.#records.unmarked()) {
      const parent = record.key[0] ?? '';
      // It is unknown which of them the rows without a key created.
      if (this.#asks === 'state' && this.#parentsOfKeyless.has(parent)) continue;
      if (this.#parents.has(parent)) yield { change: 'removed', key: record.key, cells: this.#reader.had(record) };
    }
  }

  #keyless(key: readonly string[], cells: readonly string[], n: number): Verdict {
    this.#parentsOfKeyless.firstRow(key[0] ?? '', n);
    return this.#asks === 'state'
      ? { change: 'unchanged', key, unknown: this.#naming }
      : { change: 'new', key, cells: this.#reader.asked(cells, 'without a key') };
  }

  #repetition(identity: string, cells: readonly string[], n: number): JudgedRow['repeated'] {
    const isRepeated = this.#identities.firstRow(identity, n) !== undefined;
    const isSame = this.#rows.firstRow(joinKey([identity, ...cells]), n) !== undefined;
    if (!isRepeated) return 'no';
    return isSame ? 'in the same words' : 'otherwise';
  }

  #judge(row: JudgedRow): Verdict {
    const { key, cells, found, repeated } = row;
    const created = (): Verdict => {
      const why = this.#lackOf(cells);
      if (why !== undefined) return { ...refusal(key, why), is: 'incomplete' };
      return { change: 'new', key, cells: this.#reader.asked(cells, 'named') };
    };
    if (this.#mode === 'REPLACE') return this.#replacement(row) ?? created();
    if (this.#mode === 'CREATE') {
      const allowed = this.#definition.options?.createDuplicates === 'ALLOW';
      return found.length > 0 && !allowed ? refusal(key, EXISTS) : created();
    }
    if (found.length > 0) return this.#match(row);
    if (!this.#makesNamed()) return refusal(key, ABSENT);
    // Identical rows of one record are one change.
    return repeated === 'in the same words' ? { change: 'unchanged', key } : created();
  }

  /** If rows may lack a key, a row that has it refers to an existing record (wire-facts 4, "ITEM_FILES semantics"). */
  #makesNamed(): boolean {
    const { lacking } = resourceNamed(this.#definition.resource);
    return this.#mode === 'OVERWRITE' && (this.#asks === 'state' || lacking === undefined);
  }

  /** Decides the effect of a row on the records that it finds. */
  #match({ key, cells, found, repeated }: JudgedRow): Verdict {
    if (found.length > 1 && this.#definition.options?.matchDuplicates !== 'APPLY_TO_ALL') {
      return refusal(key, `${found.length} records in the workspace have this key, and \`matchDuplicates\` is ERROR.`);
    }
    const first = found.filter((record) => this.#records.mark(record) === 'first');
    // The last row of a record counts, so each row that differs from an earlier one may change it.
    if (this.#mode !== 'DELETE') return this.#difference(key, cells, repeated === 'otherwise' ? found : first);
    const [record] = first;
    if (record === undefined) return refusal(key, ABSENT);
    return { change: 'removed', key, cells: this.#reader.had(record) };
  }

  /** Under REPLACE each row is one line: of several lines with its key, an equal one, otherwise the first. */
  #replacement({ key, cells, found }: JudgedRow): Verdict | undefined {
    const free = found.filter((record) => !this.#records.isMarked(record));
    const equal = free.find((record) => this.#reader.difference(cells, record).cells.length === 0);
    const chosen = equal ?? free[0];
    if (chosen === undefined) return undefined;
    this.#records.mark(chosen);
    return this.#difference(key, cells, [chosen]);
  }

  #difference(key: readonly string[], cells: readonly string[], found: readonly KeptRow[]): Verdict {
    const each = found.map((record) => this.#reader.difference(cells, record));
    const unknown = each.flatMap((one) => one.unknown);
    const changed = each.find((one) => one.cells.length > 0);
    return changed === undefined
      ? { change: 'unchanged', key, unknown }
      : { change: 'changed', key, cells: changed.cells, unknown };
  }
}

interface JudgedRow {
  readonly key: readonly string[];
  readonly cells: readonly string[];
  readonly found: readonly KeptRow[];
  /** Whether an earlier row has the same key, and the same cells. */
  readonly repeated: 'no' | 'in the same words' | 'otherwise';
}

const refusal = (key: readonly string[], why: string): Verdict => ({ change: 'refused', key, why });
const NAMELESS = 'A cell that identifies the record is empty.';
const EXISTS = 'The record exists already, and the mode is CREATE.';
const ABSENT = 'The record is not in the workspace.';

/** Recognises rows that lack the key that their resource may lack in this mode: each creates its own record. */
export function keylessRows(definition: ImportDefinitionSpec): (identity: RowIdentity) => boolean {
  const { keys } = resourceNamed(definition.resource);
  const omittable = new Set(omittableKeys(definition));
  return ({ key, guid }) => {
    const empty = keys.filter((_, index) => key[index] === '' && (index > 0 || guid === ''));
    return empty.length > 0 && empty.every((name) => omittable.has(name));
  };
}

/** The keys that rows may lack: each such row creates a record, which the service names. */
export function omittableKeys({ resource, mode, options }: ImportDefinitionSpec): readonly string[] {
  const known = resourceNamed(resource);
  const isNumbered = options?.useCategoryNumberFormat !== undefined && known.keys.length === 1;
  if (isNumbered && NUMBERING.includes(mode.toUpperCase())) return known.keys;
  const needed = keysNeeded(known, mode);
  return known.keys.filter((key) => !needed.includes(key));
}

/** The modes in which the service numbers new items. */
const NUMBERING = ['CREATE', 'OVERWRITE'];

/** The columns that would identify a record that a row created. */
const namingColumns = (columns: readonly Column[], { resource }: ImportDefinitionSpec): string[] => {
  const { keys: all, lacking } = resourceNamed(resource);
  const keys = lacking?.keys ?? all;
  const found = columns.filter(({ fields }) => keys.some((key) => fields.includes(key.toLowerCase())));
  return found.length === 0 ? [...keys] : found.map(({ header }) => header);
};
