import type { ImportDefinition } from '../../families/import-definitions.js';
import { BomDraft } from '../../store/bom-draft.js';
import type { Database } from '../../store/database.js';
import type { ImportOptions, Mode, Resource } from '../../store/imports.js';
import { ItemDraft, type ItemName } from '../../store/item-draft.js';
import { RowScope } from '../../store/row-scope.js';
import type { Chance } from '../guid-source.js';
import { findCategoryWorld } from '../import-fields.js';
import { refuse, ServiceError } from '../service-error.js';
import { CategoryNumbers } from './category-numbers.js';
import type { ItemsByName } from './items-by-name.js';
import type { ImportRow } from './read-row.js';
import { loadSurroundings, type Surroundings } from './surroundings.js';
import type { Target } from './targets.js';

/** What the rules of rows need to know. */
export interface RowContext {
  readonly mode: Mode;
  readonly options: ImportOptions;
  /** The connection that has the drafts. */
  readonly data: RowScope;
  readonly items: ItemDraft;
  readonly lines: BomDraft;
  readonly numbers: CategoryNumbers;
  readonly surroundings: Surroundings;
  /** Targets that a new record must have a value for. */
  readonly required: readonly Target[];
  readonly chance: Chance;
  /** The time of the run and the user who started it. */
  readonly at: string;
  readonly by: string;
}

/** The context that the rows of one run share. */
export interface ImportContext extends RowContext {
  readonly definition: ImportDefinition;
}

/** Opens the context of rows of a resource, with empty drafts in temporary tables of the connection. */
export function openContext(
  database: Database,
  resource: Resource,
  rest: Pick<RowContext, 'mode' | 'options' | 'required' | 'chance' | 'at' | 'by'>,
): RowContext {
  const data = new RowScope(database);
  const surroundings = loadSurroundings(database, findCategoryWorld(resource));
  const items = new ItemDraft(data);
  const numbers = new CategoryNumbers(data, items);
  return { ...rest, data, items, lines: new BomDraft(data), numbers, surroundings };
}

/** More than one record has the key of a row; no source shows the code. INFERRED from "may not be duplicated". */
const DUPLICATE = 3025;

/** Builds the refusal with 3025 of a key that several records have, or that a new record would duplicate. */
export function duplicate(message: string): ServiceError {
  return new ServiceError({ code: DUPLICATE, message });
}

/** Builds the refusal with 3012 of a number that no item has. */
export function noItem(number: string): ServiceError {
  return new ServiceError({ code: 3012, message: `There is no item with the number "${number}".` });
}

/** Finds items by the names that a row uses. */
interface Items<T> {
  byGuid(guid: string): T | undefined;
  byNumber(number: string): readonly T[];
}

/** Finds the items that a row names by GUID, which has priority, or by number (wire-facts 4, "Key attributes"). */
export function itemsNamed<T>(items: Items<T>, guid: string | undefined, number: string | undefined): readonly T[] {
  if (guid === undefined) return number === undefined ? [] : items.byNumber(number);
  const item = items.byGuid(guid.toUpperCase());
  if (!item) throw refuse.guid(guid);
  return [item];
}

/** Finds the items that a row of files or sourcing belongs to; several with one number only if the options allow it. */
export function findOwners({ texts }: ImportRow, context: ImportContext, known: ItemsByName): readonly ItemName[] {
  const guid = texts.get('guid');
  const number = texts.get('number');
  if (guid === undefined && number === undefined) throw refuse.required('number');
  const items = itemsNamed(known, guid, number);
  if (items.length === 0) throw noItem(number ?? '');
  const { matchDuplicates, matchDuplicateParents } = context.options;
  if (items.length > 1 && matchDuplicates !== 'APPLY_TO_ALL' && matchDuplicateParents !== 'ALLOW') {
    throw duplicate(`${items.length} items have the number "${number}".`);
  }
  return items;
}
