import type { Column, Roles } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type Draft, flowText, LEFT_OUT, withoutValues, withRemark, withSource } from './draft.js';
import { withoutMarks, withoutUnfitted } from './not-fitted.js';
import { haveRowsBelow } from './rows-below.js';

/** Headers of columns that say what a change does with a line. */
const ACTION =
  /^(?:(?:change|eco|bom|line|redline) )?(?:action|change|operation|type of change|aktion|anderung|anderungsart|modification|accion|cambio|akcja|zmiana|actie|wijziging|azione|modifica)(?: (?:type|code|kind))?$/;
const DELETED =
  /^(?:d|del|deleted?|deletion|removed?|removal|dropped|entfallen|entfällt(?: (?:ab|mit|seit) .{1,30})?|gelöscht|löschen|entfernt|entfernen|supprimée?|supprimer|suppression|eliminad[oa]|eliminar|usunięt[ey]|usunąć|verwijderd|verwijderen|eliminat[oi]|rimoss[oi])$/i;

/** Texts of documents in columns that say what rows are. */
const DOCUMENT =
  /^(?:documents?|drawings?|specifications?|texts?(?: items?)?|dokumente?|zeichnung(?:en)?|textposition|doc|dwg)$/i;
const TYPE = /^(?:(?:(?:item|part|component|line|bom) )?(?:type|category|kind)|typ|art|kategorie)$/;
/** Item categories of SAP: text and document. */
const SAP_TYPE = /^(?:item category|ict|itc|positionstyp|postyp|ptp|ptyp)$/;
const SAP_DOCUMENT = /^[TD]$/;

type Found = readonly (readonly [value: string, count: number])[];

/** Leaves out lines that a change deletes, since an import of the others would add them again, and lines of documents. */
async function withoutOtherLines(path: string, draft: Draft, columns: readonly Column[]): Promise<Draft> {
  let left = draft;
  for (const column of columns) {
    left = await without(path, left, column, valuesOf(column, isDeletion(column)), 'deleted');
    left = await withoutDocument(path, left, column);
  }
  return left;
}

/** Leaves out the documents and texts of a list of SAP, which are no materials. */
async function withoutDocuments(path: string, draft: Draft, columns: readonly Column[]): Promise<Draft> {
  let left = draft;
  for (const column of columns.filter(isSapType)) left = await withoutDocument(path, left, column);
  return left;
}

/** The item categories of SAP, by a name of theirs, or "T" above letters that are some. */
const isSapType = ({ header, values }: Column): boolean =>
  SAP_TYPE.test(bareHeader(header)) ||
  (/^(?:t|typ)$/.test(bareHeader(header)) &&
    values?.has('L') === true &&
    [...values.keys()].every((value) => /^[A-Z]$/.test(value)));

const withoutDocument = (path: string, draft: Draft, column: Column): Promise<Draft> =>
  without(path, draft, column, valuesOf(column, isDocument(column)), 'of a document or a text');

function isDeletion({ header }: Column): (value: string) => boolean {
  const isAction = ACTION.test(bareHeader(header));
  // A remark of one letter says nothing.
  const isRemark = (value: string): boolean => roleNamed(header) === 'notes' && value.length > 3;
  return (value) => (isAction || isRemark(value)) && DELETED.test(value);
}

function isDocument(column: Column): (value: string) => boolean {
  const bare = bareHeader(column.header);
  if (isSapType(column)) return (value) => SAP_DOCUMENT.test(value) || DOCUMENT.test(value);
  return (value) => TYPE.test(bare) && DOCUMENT.test(value);
}

const valuesOf = ({ name, values }: Column, isMeant: (value: string) => boolean): Found =>
  name === '' ? [] : [...(values ?? [])].filter(([value]) => isMeant(value));

async function without(path: string, draft: Draft, { name }: Column, found: Found, what: string): Promise<Draft> {
  const [[first = ''] = []] = found;
  if (found.length === 0) return draft;
  const count = found.reduce((sum, [, times]) => sum + times, 0);
  const which = `${count === 1 ? '1 line that is' : `${count} lines that are`} ${what} (${flowText(first)} in "${name}")`;
  const values = found.map(([value]) => value);
  if (await haveRowsBelow(path, draft, [{ column: name, values }]))
    return withRemark(draft, `Open: ${which} would be in the BOM: other rows are below.`);
  const advice =
    what === 'deleted'
      ? ' The import removes no lines that exist: remove them in the service, or by an import of mode DELETE.'
      : '';
  return withRemark(withSource(draft, withoutValues(draft.source, name, values)), `${LEFT_OUT}${which}.${advice}`);
}

/** Leaves out what lists have besides the lines of a BOM, and besides their items. */
export async function onlyPartLines(
  path: string,
  draft: Draft,
  columns: readonly Column[],
  roles: Roles,
): Promise<Draft> {
  if (draft.kind === 'BOM') return withoutUnfitted(path, await withoutOtherLines(path, draft, columns), columns, roles);
  const marked = withoutMarks(draft, columns, roles);
  return draft.kind === 'items' && roles.has('quantity') ? withoutDocuments(path, marked, columns) : marked;
}
