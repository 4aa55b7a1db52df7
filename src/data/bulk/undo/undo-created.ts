import type { CellChange } from '../compare/row-difference.js';
import type { RecordContext, RecordSides } from './record-context.js';
import { isEdited, isInAssembly, keepAsIs, NOTHING, type UndoResult } from './undo-context.js';

/** Reason for leaving a cell or record that somebody else changed since. */
export const CHANGED = 'Changed since the import, so it stays as it is.';

/** Reason why a record cannot be sent. */
export const NO_NUMBER = 'No column of the import contains its number.';

const IN_BOM = 'The import created this item, and it is in a BOM by now. Undo the import of that BOM first.';
const EDITED = 'The import created this file, and it was edited since, so it stays as it is.';
const NEW_TOO =
  'The import created the supplier item of this source as well. It stays, with its supplier: no import deletes them.';
const MAYBE_NEW =
  'The supplier item of this source stays, even if the import created it: the before image does not say whether it was there.';
const FILLED_TOO =
  'The row also filled the supplier item, which was there before. Its values stay: the before image does not have them.';

/** Fields that the service fills in if a row does not set them. */
const FILLED_IN =
  /^((category|lifecyclephase|owner|author)(\..*)?|uom|procurementtype|shared|offtheshelf|quantity|linenumber|revisionnumber|inassembly|edition|format|storagemethodname|latesteditionassociation|creationdatetime|lastmodifieddatetime|vendoritemconversionfactor)$/;

/** Removes a record that the import created, unless it was changed or is in use. */
export function afterCreate(sides: RecordSides, context: RecordContext): UndoResult {
  const { present, cells, identity } = sides;
  const [record, ...more] = present;
  if (record === undefined) return NOTHING;
  if (more.length > 0) return keepAsIs(`${present.length} records have this key by now, of which one is the import's.`);
  const changed = context.targets.flatMap((target, place): CellChange[] => {
    const value = context.isOwn(target) ? record.values[place] : null;
    const asked = context.reader.after(target, cells) ?? (FILLED_IN.test(target.field) ? undefined : '');
    // Values that the service fills in are not compared.
    if (value === null || value === undefined || asked === undefined) return [];
    return context.reader.isSame(value[0], value[1], asked)
      ? []
      : [{ column: target.header, before: value[1], after: asked }];
  });
  if (changed.length > 0) return keepAsIs(`The import created it. ${CHANGED}`, changed);
  const { compared } = context.resource;
  if (compared === 'items' && isInAssembly(record)) return keepAsIs(IN_BOM);
  if (compared === 'files' && isEdited(record)) return keepAsIs(EDITED);
  const naming = context.naming(identity);
  if (naming === undefined) return keepAsIs(NO_NUMBER);
  const why = whySharedStays(sides, context);
  return { rows: [{ kind: 'delete', cells: naming }], left: why === undefined ? [] : [{ why }] };
}

/** Reason why the supplier item stays when its relationship is removed: no import can reach it then. */
function whySharedStays(
  { shared, cells, identity, isPutBack }: RecordSides,
  { resource, targets, reader, isOwn }: RecordContext,
) {
  if (resource.shared === undefined) return undefined;
  if (shared === 'unknown') return MAYBE_NEW;
  if (shared === 'absent') return NEW_TOO;
  const isFilled = targets.some(
    (target) => !isOwn(target) && reader.after(target, cells) !== undefined && !isPutBack(target.column, identity.key),
  );
  return isFilled ? FILLED_TOO : undefined;
}
