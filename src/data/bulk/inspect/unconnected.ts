import type { ImportSource } from '#core/jobs/source.js';
import { splitDesignators } from '../source/designators.js';
import type { Column, Roles } from './column.js';
import { eachRowCells } from './row-cells.js';

const NOT_CONNECTED = /^n\.?c\.?$/i;
/** Parts of which "NC" cannot say that a contact is normally closed, or that a pin has no net. */
const NEVER_CONTACTS = /^(?:R|RN|C|L|D|ZD|Q|U|IC|F|FB|T)\d/i;

/** Takes "NC" in place of the value of resistors and the like for a mark of parts that are not fitted. */
export async function withUnconnected(
  path: string,
  source: ImportSource,
  columns: readonly Column[],
  roles: Roles,
): Promise<readonly Column[]> {
  const [value, refDes] = [roles.get('value'), roles.get('refDes')];
  const texts = [...(value?.values ?? [])].filter(([text]) => NOT_CONNECTED.test(text));
  if (value === undefined || refDes === undefined || texts.length === 0 || value.distinct < 3) return columns;
  let areAll = true;
  await eachRowCells(path, source, [value.name, refDes.name], ([text = '', designators = '']) => {
    if (NOT_CONNECTED.test(text) && !splitDesignators(designators).every((one) => NEVER_CONTACTS.test(one)))
      areAll = false;
  });
  if (!areAll) return columns;
  const unfitted = new Map([...value.unfitted, ...texts]);
  return columns.map((column) => (column.name === value.name ? { ...column, unfitted } : column));
}
