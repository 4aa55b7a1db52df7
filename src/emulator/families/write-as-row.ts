import type { Row } from '#base/sqlite/sqlite.js';
import type { WriteRequest } from '../family/field.js';
import { zulu } from '../rules/date-times.js';
import { recordEvents } from '../rules/events/record-events.js';
import { isGuid } from '../rules/guid-source.js';
import { openContext, type RowContext } from '../rules/import/import-context.js';
import type { ImportRow } from '../rules/import/read-row.js';
import { indexTargets, type Target } from '../rules/import/targets.js';
import { findAttributeWorld, listImportFields } from '../rules/import-fields.js';
import { refusal, refuse, type ServiceError } from '../rules/service-error.js';
import type { StandardField } from '../rules/standard-field.js';
import { trackDrafts } from '../store/extracts.js';
import type { Mode, Resource } from '../store/imports.js';
import { readAttributes } from '../store/item-settings.js';
import { refuseDuringRun } from '../store/open-runs.js';

/** The fields of items that requests give, and imports do not. */
const REQUEST_FIELDS: readonly StandardField[] = [
  { apiName: 'revisionNumber', name: 'Revision', fieldType: 'SINGLE_LINE_TEXT', maxLength: 50 },
  { apiName: 'offTheShelf', name: 'Off the Shelf', fieldType: 'BOOLEAN' },
];

/** The drafts of an import of one row, with the fields that it may have. */
export interface Drafts extends RowContext {
  readonly targets: ReadonlyMap<string, Target>;
}

/**
 * Writes as an import of one row does: with its checks, its events, and what extracts track. It waits for runs, since
 * those store what they checked against the items of their beginning.
 */
export function writeAsRow<T>(
  { workspace, caller }: WriteRequest,
  resource: Resource,
  { mode, checkRefDes = 'CHECK' }: { readonly mode: Mode; readonly checkRefDes?: 'CHECK' | 'DO_NOT_CHECK' },
  write: (drafts: Drafts) => T,
): T {
  const { settings, dialect, chance, clock } = workspace;
  refuseDuringRun(settings);
  const fields = [...listImportFields(resource), ...(resource === 'ITEM_SPECS' ? REQUEST_FIELDS : [])];
  const { all } = indexTargets(fields, readAttributes(settings, findAttributeWorld(resource)), dialect);
  const stamp = { at: zulu(clock()), by: caller.guid, chance };
  const required = all.filter((target) => target.required);
  const options = { checkRefDes, multiSelectDelimiter: ';' };
  const context = openContext(settings, resource, { mode, options, required, ...stamp });
  const result = write({ ...context, targets: new Map(all.map((target) => [target.key, target])) });
  context.data.keep();
  recordEvents(settings, { ...stamp, dialect });
  trackDrafts(settings);
  context.items.merge();
  context.lines.merge();
  return result;
}

/** The row that a body is. A null or an empty text removes the value of an attribute, or of what may be removed. */
export function toImportRow(
  { body, setsNull }: WriteRequest,
  { targets }: Drafts,
  clearable: readonly string[],
): ImportRow {
  const cells = Object.entries(body).flatMap(cellsOf);
  const unknown = cells.find(([key]) => !targets.has(key))?.[0];
  if (unknown !== undefined) throw isGuid(unknown) ? refuse.guid(unknown) : refuse.unrecognized(unknown);
  const given = cells.filter(([, value]) => value !== null && value !== '');
  const isRemoved = ([key, value]: Cell): boolean =>
    value === '' || (value === null && (isGuid(key) || (setsNull === true && clearable.includes(key))));
  const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(';') : String(value));
  return {
    ...{ number: 1, targets, freeText: undefined },
    texts: new Map(given.map(([key, value]) => [key, textOf(value)])),
    removed: new Set(cells.filter(isRemoved).map(([key]) => key)),
  };
}

type Cell = readonly [key: string, value: unknown];

/** An attribute, or another object, as a request names it. */
export interface GivenAttribute {
  readonly guid: string;
  readonly value?: unknown;
}

function cellsOf([name, value]: Cell): readonly Cell[] {
  if (name === 'additionalAttributes') {
    return ((value ?? []) as readonly GivenAttribute[]).map((one) => [one.guid, one.value ?? null] as const);
  }
  if (typeof value !== 'object' || value === null) return [[name, value ?? null]];
  return Object.entries(value).map(([inner, own]) => [`${name}.${inner}`, own ?? null] as const);
}

/** Refuses to change a revision that is not the working one, or an item that is locked (3224). */
export function refuseEdit(row: Row): void {
  if (row.guid !== row.item) throw refusal(3224, 'Only the working revision of an item can be changed.');
  if (row.locked === 1) throw refusal(3224, 'The item is locked.');
}

/** The refusal of a deletion of what is not there; for items, it has a status of its own (wire-facts 8.1). */
export const absent = (guid: string, status?: number): ServiceError =>
  refusal(3024, `There is no object with the GUID "${guid}" to delete.`, status);
