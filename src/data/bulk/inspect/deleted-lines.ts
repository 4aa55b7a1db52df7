import type { Column } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type Draft, flowText, LEFT_OUT, withoutValues, withRemark, withSource } from './draft.js';

/** Headers of columns that say what a change does with a line. */
const ACTION =
  /^(?:(?:change|eco|bom|line|redline) )?(?:action|change|operation|type of change|aktion|anderung|anderungsart|modification|accion|cambio|akcja|zmiana|actie|wijziging|azione|modifica)(?: (?:type|code|kind))?$/;
const DELETED =
  /^(?:d|del|deleted?|deletion|removed?|removal|dropped|entfallen|entfällt(?: (?:ab|mit|seit) .{1,30})?|gelöscht|löschen|entfernt|entfernen|supprimée?|supprimer|suppression|eliminad[oa]|eliminar|usunięt[ey]|usunąć|verwijderd|verwijderen|eliminat[oi]|rimoss[oi])$/i;

/** Leaves out lines that a change deletes: an import of the others would add them again. */
export const withoutDeleted = (draft: Draft, columns: readonly Column[]): Draft =>
  columns.reduce((one, { name, header, values }) => {
    const isSaid = ACTION.test(bareHeader(header)) || roleNamed(header) === 'notes';
    const all = isSaid ? [...(values ?? [])] : [];
    const found = all.filter(([value]) => DELETED.test(value));
    const [[first = ''] = []] = found;
    if (found.length === 0 || name === '') return one;
    const count = found.reduce((sum, [, times]) => sum + times, 0);
    const which = count === 1 ? '1 line that is' : `${count} lines that are`;
    const texts = found.map(([value]) => value);
    return withRemark(
      withSource(one, withoutValues(one.source, name, texts)),
      `${LEFT_OUT}${which} deleted (${flowText(first)} in "${name}"). The import removes no lines that exist: remove them in the service, or by an import of mode DELETE.`,
    );
  }, draft);
