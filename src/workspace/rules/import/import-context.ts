import type { BomDraft } from '../../store/bom-draft.js';
import type { Database } from '../../store/database.js';
import type { ImportDefinition, ImportOptions, Mode } from '../../store/imports.js';
import type { ItemDraft } from '../../store/item-draft.js';
import type { ItemRecord } from '../../store/items.js';
import type { Chance } from '../chance.js';
import { refuse, ServiceError } from '../service-error.js';
import type { ImportRow } from './row.js';
import type { Surroundings } from './surroundings.js';
import type { Target } from './targets.js';

/** What the rows of one run share. */
export interface ImportContext {
  readonly definition: ImportDefinition;
  readonly mode: Mode;
  readonly options: ImportOptions;
  /** Where the drafts are. */
  readonly data: Database;
  readonly items: ItemDraft;
  readonly lines: BomDraft;
  readonly surroundings: Surroundings;
  /** Targets that a new record must have a value for. */
  readonly required: readonly Target[];
  readonly chance: Chance;
  /** The time of the run and the user whose run it is. */
  readonly at: string;
  readonly by: string;
}

/** More than one record fits the key of a row; no source shows the code. INFERRED from "may not be duplicated". */
const DUPLICATE = 3025;

export function duplicate(message: string): ServiceError {
  return new ServiceError({ code: DUPLICATE, message });
}

export function noItem(number: string): ServiceError {
  return new ServiceError({ code: 3012, message: `There is no item with the number "${number}".` });
}

/** The items that a row names by GUID, which counts first, or by number (wire-facts 4, "Key attributes"). */
export function itemsNamed(context: ImportContext, guid: string | undefined, number: string | undefined): ItemRecord[] {
  if (guid === undefined) return number === undefined ? [] : context.items.byNumber(number);
  const item = context.items.byGuid(guid.toUpperCase());
  if (!item) throw refuse.guid(guid);
  return [item];
}

/** The items that rows of files and sourcing belong to. Several of one number are meant only where the options say so. */
export function ownersOf({ texts }: ImportRow, context: ImportContext): ItemRecord[] {
  const guid = texts.get('guid');
  const number = texts.get('number');
  if (guid === undefined && number === undefined) throw refuse.required('number');
  const items = itemsNamed(context, guid, number);
  if (items.length === 0) throw noItem(number ?? '');
  const { matchDuplicates, matchDuplicateParents } = context.options;
  if (items.length > 1 && matchDuplicates !== 'APPLY_TO_ALL' && matchDuplicateParents !== 'ALLOW') {
    throw duplicate(`${items.length} items have the number "${number}".`);
  }
  return items;
}
